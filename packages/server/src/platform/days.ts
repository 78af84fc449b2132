import { TZDate } from '@date-fns/tz';
import type { Clock } from './clock.ts';
import { invalidField } from './errors.ts';

const DAY_MS = 86_400_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A later moment has a year of five digits, which neither answers nor the database's own texts take. */
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The first moment of a day `YYYY-MM-DD` in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const [year, month, date] = numbers(day);
  return plain(new TZDate(year, month - 1, date, timeZone));
}

/** The last millisecond of a day in a time zone. The last day that there is ends at `LATEST` in all of them. */
export function endOfDay(day: string, timeZone: string): Date {
  const [year, month, date] = numbers(day);
  return new Date(Math.min(LATEST, plain(new TZDate(year, month - 1, date + 1, timeZone), -1).getTime()));
}

/** The day a moment falls on in a time zone, `YYYY-MM-DD`. */
export function dayOf(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment);
}

/** How many days `last` is after `first`, both `YYYY-MM-DD`. */
export function daysBetween(first: string, last: string): number {
  return (Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS;
}

/** The day so many days after `day`. */
export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** True for a real day such as 2026-02-28, false for 2026-02-30. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/**
 * A field that takes a day or a moment. A day means its start or its end in the account's time zone.
 * @throws {AppError} invalid_request at `path`.
 */
export function momentOf(
  text: string | null | undefined,
  edge: 'start' | 'end',
  timeZone: string,
  path: string,
): Date | null {
  if (!text) return null;
  if (isDay(text)) return edge === 'start' ? startOfDay(text, timeZone) : endOfDay(text, timeZone);
  const moment = text[10] === 'T' && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment) || moment > LATEST) throw invalidField(path, 'Enter a date such as 2026-12-31.');
  return new Date(moment);
}

export interface DayPeriod {
  from: string;
  to: string;
}

/** The longest period that a route takes, and the message to who asks for more. */
interface Longest {
  days: number;
  message: string;
}

const TEN_YEARS: Longest = { days: 3661, message: 'Choose at most ten years.' };

/**
 * The days from `startDate` to `endDate`, both inclusive; the last 30 up to today in the time zone when one is missing.
 * @throws {AppError} invalid_request for days that do not exist, are in the wrong order or too many.
 */
export function dayPeriod(
  { startDate, endDate }: { startDate?: string | undefined; endDate?: string | undefined },
  timeZone: string,
  clock: Clock,
  longest: Longest = TEN_YEARS,
): DayPeriod {
  if (!startDate || !endDate) {
    const to = dayOf(clock.now(), timeZone);
    return { from: plusDays(to, 1 - DEFAULT_DAYS), to };
  }
  if (!isDay(startDate)) throw invalidField('startDate', 'This day does not exist.');
  if (!isDay(endDate)) throw invalidField('endDate', 'This day does not exist.');
  if (startDate > endDate) throw invalidField('startDate', 'The first day is after the last day.');
  if (daysBetween(startDate, endDate) >= longest.days) throw invalidField('startDate', longest.message);
  return { from: startDate, to: endDate };
}

export interface Period {
  /** Null: no bound. */
  from: Date | null;
  to: Date | null;
}

const LAST_DAYS: Record<string, number> = { '1w': 7, '2w': 14, '1m': 30 };
const DEFAULT_DAYS = 30;

/**
 * The period of a dateRange. `1w`, `2w` and `1m` are the last 7, 14 and 30 days up to the end of today; a custom period
 * with a missing day is the last of these.
 * @throws {AppError} invalid_request for days that do not exist or are in the wrong order.
 */
export function periodOf(range: string, timeZone: string, clock: Clock): Period {
  if (range === 'all') return { from: null, to: null };
  const [first = '', last = ''] = range.split('_to_');
  const days = LAST_DAYS[range] ?? (last === '' || first === '' ? DEFAULT_DAYS : undefined);
  if (days !== undefined) {
    const today = dayOf(clock.now(), timeZone);
    const [year, month, date] = numbers(today);
    const from = plain(new TZDate(year, month - 1, date - days + 1, timeZone));
    return { from, to: endOfDay(today, timeZone) };
  }
  if (!isDay(first) || !isDay(last)) throw invalidField('dateRange', 'One of the dates does not exist.');
  if (first > last) throw invalidField('dateRange', 'The first day is after the last day.');
  return { from: startOfDay(first, timeZone), to: endOfDay(last, timeZone) };
}

function numbers(day: string): [number, number, number] {
  const match = DAY.exec(day);
  if (!match) throw new Error(`not a day: ${day}`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}

function plain(zoned: TZDate, plus = 0): Date {
  return new Date(zoned.getTime() + plus);
}
