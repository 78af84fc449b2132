import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { periodBefore } from './period-before.ts';

const at = (moment: string) => new TestClock(moment);
const days = (from: string, to: string, now: string, zone = 'UTC') => {
  const before = periodBefore({ from, to }, zone, at(now));
  return before && [before.from, before.to, before.part?.ends.toISOString() ?? null];
};

it('compares as many days, which end the day before', () => {
  expect(days('2026-03-09', '2026-03-15', '2026-05-01T00:00:00Z')).toEqual(['2026-03-02', '2026-03-08', null]);
});

it('compares a calendar month with the whole month before, however long each is', () => {
  expect(days('2026-04-01', '2026-04-30', '2026-06-01T00:00:00Z')).toEqual(['2026-03-01', '2026-03-31', null]);
  expect(days('2026-03-01', '2026-03-31', '2026-06-01T00:00:00Z')).toEqual(['2026-02-01', '2026-02-28', null]);
  expect(days('2026-01-01', '2026-01-31', '2026-06-01T00:00:00Z')).toEqual(['2025-12-01', '2025-12-31', null]);
});

it('compares what has passed of a running period with the same part, down to the time of day', () => {
  expect(days('2026-04-01', '2026-04-30', '2026-04-22T09:30:00Z')).toEqual([
    '2026-03-01',
    '2026-03-22',
    '2026-03-22T09:30:00.000Z',
  ]);
  expect(days('2026-04-22', '2026-04-22', '2026-04-22T09:30:00Z')).toEqual([
    '2026-04-21',
    '2026-04-21',
    '2026-04-21T09:30:00.000Z',
  ]);
  expect(days('2026-03-01', '2026-03-31', '2026-03-30T09:30:00Z')).toEqual(['2026-02-01', '2026-02-28', null]);
});

it('takes the time of day of the account', () => {
  // 23:30 in New York, where it is still the 21st
  expect(days('2026-04-21', '2026-04-21', '2026-04-22T03:30:00Z', 'America/New_York')).toEqual([
    '2026-04-20',
    '2026-04-20',
    '2026-04-21T03:30:00.000Z',
  ]);
});

it('does not compare what has not begun, or what nothing can be before', () => {
  expect(days('2026-05-01', '2026-05-31', '2026-04-22T03:30:00Z')).toBeNull();
  expect(days('0001-01-01', '0001-01-31', '2026-04-22T03:30:00Z')).toBeNull();
  expect(days('9989-12-23', '9999-12-31', '2026-04-22T03:30:00Z')).toBeNull();
  expect(days('2026-04-01', '9999-12-31', '2026-04-22T03:30:00Z')).toBeNull();
});
