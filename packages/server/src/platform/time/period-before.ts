import type { Clock } from '../clock.ts';
import { type DayPeriod, dayOf, daysBetween, endOfDay, isDay, plusDays, startOfDay } from './days.ts';
import { shortMonth } from './months.ts';

/** The earlier period that a period is compared with. */
export interface PeriodBefore extends DayPeriod {
  /**
   * The part of the last day to compare with, because today is only a part of a day while a period is running. Null: all of
   * the days are whole.
   */
  part: { begins: Date; ends: Date } | null;
}

/**
 * The period before a period: of a calendar month the month before, otherwise as many days, ending the day before. Of a
 * period that is still running, only as much of it as has passed. Null when it lies before all days or has not begun.
 */
export function periodBefore({ from, to }: DayPeriod, timeZone: string, clock: Clock): PeriodBefore | null {
  const now = clock.now();
  const today = dayOf(now, timeZone);
  if (from > today) return null;
  const running = to >= today;
  const isMonth = from.endsWith('-01') && to === lastOfMonth(from);
  const first = isMonth ? firstOfMonth(plusDays(from, -1)) : plusDays(from, -(daysBetween(from, to) + 1));
  if (!isDay(first) || first < '0001-01-01') return null;
  const last = plusDays(from, -1);
  if (!running) return { from: first, to: last, part: null };
  const same = plusDays(first, daysBetween(from, today));
  // the month before is shorter
  if (same > last) return { from: first, to: last, part: null };
  const begins = startOfDay(same, timeZone);
  const passed = now.getTime() - startOfDay(today, timeZone).getTime();
  // a day on which clocks change is an hour shorter
  const ends = new Date(Math.min(begins.getTime() + passed, endOfDay(same, timeZone).getTime()));
  return { from: first, to: same, part: { begins, ends } };
}

const firstOfMonth = (day: string) => `${shortMonth(day)}-01`;

const lastOfMonth = (day: string) => plusDays(firstOfMonth(plusDays(firstOfMonth(day), 31)), -1);
