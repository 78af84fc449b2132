import { expect, it } from 'vitest';
import { formatBytes, formatTimeLeft } from './sizes.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 KB'],
  [40_000_000, '40.0 MB'],
  [140_000_000, '140 MB'],
  [5 * 1024 ** 3, '5.4 GB'],
])('%d bytes are %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words));

it.each([
  [2, 'a few seconds left'],
  [41, '45 seconds left'],
  [90, '2 min left'],
  [7300, '2 h 2 min left'],
])('%d seconds are "%s"', (seconds, words) => expect(formatTimeLeft(seconds)).toBe(words));
