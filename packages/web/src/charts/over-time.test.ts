import { expect, it } from 'vitest';
import { plusDays } from '#lib/time/period.ts';
import { overTime, stepOf } from './over-time.ts';
import type { ChartColumn } from './types.ts';

const count: ChartColumn = { name: 'Days', format: String };
const days = (number: number) => Array.from({ length: number }, (_, index) => plusDays('2026-01-30', index));
/** Dates have narrow spaces in them. */
const titles = (number: number, step?: 'day' | 'week' | 'month') =>
  overTime(days(number), [count], (bucket) => [bucket.length], step).points.map(({ title, values }) => [
    title.replaceAll(/\s/g, ' '),
    values[0],
  ]);

it('draws days, then weeks, then months as the period grows', () => {
  expect([30, 92, 93, 730, 731].map(stepOf)).toEqual(['day', 'day', 'week', 'week', 'month']);
});

it('cuts weeks every seven days, and months at their ends', () => {
  expect(titles(10, 'week')).toEqual([
    ['Jan 30 – Feb 5, 2026', 7],
    ['Feb 6 – 8, 2026', 3],
  ]);
  expect(titles(4, 'month')).toEqual([
    ['January 2026', 2],
    ['February 2026', 2],
  ]);
});

it('has one point for each day by itself', () => {
  expect(titles(2)).toEqual([
    ['Fri, Jan 30, 2026', 1],
    ['Sat, Jan 31, 2026', 1],
  ]);
});
