import { expect, it } from 'vitest';
import { daysBetween, monthOf, periodOf, todayIn } from './period.ts';

it('knows what day it is where the account is', () => {
  const moment = Date.UTC(2026, 10, 21, 3, 30);
  expect(todayIn('UTC', moment)).toBe('2026-11-21');
  expect(todayIn('America/Los_Angeles', moment)).toBe('2026-11-20');
  expect(todayIn('Pacific/Auckland', Date.UTC(2026, 11, 31, 12))).toBe('2027-01-01');
});

it.each([
  ['1w', '2026-11-15', 7],
  ['2w', '2026-11-08', 14],
  ['1m', '2026-10-23', 30],
])('counts %s back from the end of today', (range, from, days) => {
  const period = periodOf(range, '2026-11-21');
  expect(period).toEqual({ from, to: '2026-11-21' });
  expect(daysBetween(period)).toBe(days);
});

it('takes two days of one’s own, and falls back to 30 days where they make no sense', () => {
  expect(periodOf('2026-01-01_to_2026-01-01', '2026-11-21')).toEqual({ from: '2026-01-01', to: '2026-01-01' });
  for (const range of ['2026-02-01_to_2026-01-01', '2026-13-01_to_2026-14-01', 'yesterday'])
    expect(periodOf(range, '2026-11-21')).toEqual({ from: '2026-10-23', to: '2026-11-21' });
});

it('covers the whole calendar month', () => {
  expect(monthOf('2028-02-10')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(monthOf('2026-12-31')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
});
