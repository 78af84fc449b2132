import { expect, it } from 'vitest';
import { UsageError } from '#exit.ts';
import { dates } from './dates.ts';

const read = (value: string) => dates('').parse(value, '--range');

it.each(['all', '1w', '2w', '1m', '2026-02-01_to_2026-02-28', '2026-02-01_to_', '_to_2026-02-01'])(
  'takes %s',
  (value) => {
    expect(read(value)).toBe(value);
  },
);

it.each([
  ['yesterday', '--range takes all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD.'],
  ['2026-02-30_to_2026-03-01', '--range: there is no day 2026-02-30.'],
  ['2026-03-02_to_2026-03-01', '--range: the first day is after the last day.'],
])('refuses %s by the name of the option', (value, message) => {
  expect(() => read(value)).toThrow(new UsageError(message));
});
