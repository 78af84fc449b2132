import { dateFormat } from '../format/locale.ts';

/** Days are `YYYY-MM-DD` in the account's time zone; arithmetic on them is done in UTC, where every day has 24 hours. */
export interface Period {
  from: string;
  to: string;
}

const DAY = 86_400_000;
const lengths: Record<string, number> = { '1w': 7, '2w': 14, '1m': 30 };

const stamp = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);

export function plusDays(day: string, days: number): string {
  return dayAt(stamp(day) + days * DAY);
}

export const daysBetween = ({ from, to }: Period) => Math.round((stamp(to) - stamp(from)) / DAY) + 1;

export function todayIn(timeZone: string, now = Date.now()): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** 7, 14 or 30 days to the end of today, or two custom days; anything invalid becomes the last 30 days. */
export function periodOf(range: string, today: string): Period {
  const [from, to] = range.split('_to_');
  if (from && to && stamp(from) <= stamp(to)) return { from, to };
  return { from: plusDays(today, 1 - (lengths[range] ?? 30)), to: today };
}

/** The calendar month that a day is in. */
export function monthOf(day: string): Period {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return { from: `${day.slice(0, 7)}-01`, to: dayAt(Date.UTC(year, month, 0)) };
}

const short = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' });
const full = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' });
const weekday = dateFormat({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const month = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonth = dateFormat({ month: 'short', year: 'numeric', timeZone: 'UTC' });

export const formatShortDay = (day: string) => short.format(stamp(day));
export const formatFullDay = (day: string) => weekday.format(stamp(day));
export const formatMonth = (day: string) => month.format(stamp(day));
export const formatShortMonth = (day: string) => shortMonth.format(stamp(day));
export const formatPeriod = ({ from, to }: Period) => full.formatRange(stamp(from), stamp(to));

/** `Europe/Berlin` in readable form. */
export const zoneName = (timeZone: string) => timeZone.replaceAll('_', ' ');
