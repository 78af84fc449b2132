import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import { DELAYS, delayAfter, retryAfterOf } from './schedule.ts';

const chance = (part: number) => ({
  bytes: (size: number) => Buffer.alloc(size, Math.round(part * 255)),
});

it('tries ten times in 75 hours, each time up to a fifth sooner or later', () => {
  expect(DELAYS).toHaveLength(10);
  const hours = DELAYS.reduce((sum, delay) => sum + delay) / HOUR;
  expect(hours).toBeCloseTo(75.58, 1);
  expect([1, 2, 9].map((n) => delayAfter(n, null, chance(0)))).toEqual([4 * SECOND, 4 * MINUTE, 19.2 * HOUR]);
  expect([1, 2, 9].map((n) => delayAfter(n, null, chance(1)))).toEqual([6 * SECOND, 6 * MINUTE, 28.8 * HOUR]);
  expect(delayAfter(10, null, chance(0))).toBeNull();
});

it('waits for as long as the receiver asks, but never for more than a day', () => {
  expect(delayAfter(1, HOUR, chance(0))).toBe(HOUR);
  expect(delayAfter(1, 30 * DAY, chance(0))).toBe(DAY);
  expect(delayAfter(9, HOUR, chance(0))).toBe(19.2 * HOUR);
  expect(delayAfter(1, retryAfterOf('9'.repeat(400), new Date()), chance(0))).toBe(DAY);
});

it.each([
  ['3600', HOUR],
  [' 5 ', 5 * SECOND],
  ['Tue, 10 Mar 2026 13:00:00 GMT', HOUR],
  ['Tue, 10 Mar 2026 11:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1e9', null],
  [undefined, null],
])('reads %s', (header, expected) => {
  expect(retryAfterOf(header, new Date('2026-03-10T12:00:00Z'))).toBe(expected);
});
