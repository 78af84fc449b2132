import { monthOf, shortMonth } from '#platform/time/months.ts';

/** Why months cannot be closed up to this one, in a sentence for the operator; undefined when they can. */
export function refusedMonth(month: string, now: Date): string | undefined {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return '--month takes a month such as 2026-03.';
  const running = shortMonth(monthOf(now));
  if (month < running) return undefined;
  return `${month} is not over yet (UTC). The last month to close is the one before ${running}.`;
}
