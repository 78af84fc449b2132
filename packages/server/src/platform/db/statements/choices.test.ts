import { expect, it } from 'vitest';
import { evenShare } from './choices.ts';

it.each([
  [[], 100],
  [[40, 60], 100],
  [[40, 61], 60],
  [[1_000_000, 10, 20], 70],
  [[500, 500, 500, 1], 33],
  [Array(300).fill(5), 1],
])('of %j, all together no more than 100: each up to %i', (sizes, share) => {
  expect(evenShare(sizes, 100)).toBe(share);
});
