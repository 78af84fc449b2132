import { expect, it } from 'vitest';
import { refusedMonth } from './month-argument.ts';

const LAST = new Date('2026-03-31T23:59:59.999Z');
const FIRST = new Date('2026-04-01T00:00:00.000Z');
const notOver = (month: string, running: string) =>
  `${month} is not over yet (UTC). The last month to close is the one before ${running}.`;

it('takes a month that is over in UTC, to the millisecond', () => {
  expect(refusedMonth('2026-02', LAST)).toBeUndefined();
  expect(refusedMonth('2026-03', LAST)).toBe(notOver('2026-03', '2026-03'));
  expect(refusedMonth('2026-03', FIRST)).toBeUndefined();
  expect(refusedMonth('2026-04', FIRST)).toBe(notOver('2026-04', '2026-04'));
  expect(refusedMonth('2025-12', FIRST)).toBeUndefined();
  expect(refusedMonth('2999-01', FIRST)).toBe(notOver('2999-01', '2026-04'));
});

it.each(['2026-13', '2026-00', '2026-1', '2026-010', '26-01', '2026-01-01', 'x2026-01', ''])('refuses %j', (month) => {
  expect(refusedMonth(month, FIRST)).toBe('--month takes a month such as 2026-03.');
});
