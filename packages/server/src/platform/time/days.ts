import { tzOffset } from '@date-fns/tz';
import type { Clock } from '../clock.ts';
import { invalidField } from '../errors.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The database has no year 0. */
const DAY = /^(?!0000)(\d{4})-(\d{2})-(\d{2})$/;

/** A later moment has a year of five digits, which neither answers nor the database's own texts take. */
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The first moment of a day `YYYY-MM-DD` in a time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  return momentAt(wallTime(day), timeZone);
}

/** The last millisecond of a day in a time zone. The last day that there is ends at `LATEST` in all of them. */
export function endOfDay(day: string, timeZone: string): Date {
  const next = momentAt(wallTime(day) + DAY_MS, timeZone);
  return new Date(Math.min(LATEST, next.getTime() - 1));
}

/** The day of a moment in UTC, `2026-03-01`. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

/** The day a moment falls on in a time zone, `YYYY-MM-DD`. */
export function dayOf(moment: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(moment);
}

/** ISO 8601 on the clock of a time zone, with its offset; `Z` in UTC. */
export function isoIn(moment: Date, timeZone: string): string {
  if (timeZone === 'UTC') return moment.toISOString();
  const minutes = Math.round(tzOffset(timeZone, moment));
  const two = (n: number) => String(n).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return new Date(moment.getTime() + minutes * MINUTE_MS).toISOString().replace('Z', offset);
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

/** An offset, the name of one, or that of a zone; some programs write the zone again behind the offset. */
const ZONE = String.raw`Z|(?:UTC|GMT)?[+-]\d{2}:?\d{2}|[A-Za-z]{3,4}|[A-Za-z_]+(?:/[A-Za-z\d_+-]+){1,2}`;
const MOMENT = new RegExp(
  String.raw`^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(${ZONE})(?:\[[^\]]+\])?)?$`,
);

/** Names that mean one offset wherever they are used, in hours. Others, such as CST and IST, mean several: they are no dates. */
const OFFSETS: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, JST: 9, AEST: 10, AEDT: 11, NZST: 12 },
  ...{ NZDT: 13, EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

/**
 * Reads every date that a person, a program or a file gives: a day, which means its start or its end in the account's time
 * zone; a moment without an offset, which is one on the account's clock; or a moment with its own, or with the name of a zone. A moment
 * that the clock skips in spring is as long after the jump; one that it shows twice in autumn is the first.
 * @returns null for anything else, such as 03/04/2026, which means two days.
 */
export function readMoment(text: string, edge: 'start' | 'end', timeZone: string): Date | null {
  if (isDay(text)) return edge === 'start' ? startOfDay(text, timeZone) : endOfDay(text, timeZone);
  const match = MOMENT.exec(text);
  // or the day after the last of February would be one of March
  if (!match || !isDay(match[1] as string)) return null;
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  const ms = Number((match[5] ?? '').padEnd(3, '0').slice(0, 3));
  const wall = wallTime(match[1] as string) + hours * 3_600_000 + minutes * MINUTE_MS + seconds * 1000 + ms;
  const moment = match[6] === undefined ? momentAt(wall, timeZone) : momentIn(wall, match[6]);
  return moment && moment.getTime() <= LATEST ? moment : null;
}

/**
 * A field that takes a day or a moment, as {@link readMoment} reads it.
 * @throws {AppError} invalid_request at `path`.
 */
export function momentOf(
  text: string | null | undefined,
  edge: 'start' | 'end',
  timeZone: string,
  path: string,
): Date | null {
  if (!text) return null;
  const moment = readMoment(text, edge, timeZone);
  if (!moment) throw invalidField(path, 'Enter a date such as 2026-12-31.');
  return moment;
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
    return { from: startOfDay(plusDays(today, 1 - days), timeZone), to: endOfDay(today, timeZone) };
  }
  if (!isDay(first) || !isDay(last)) throw invalidField('dateRange', 'One of the dates does not exist.');
  if (first > last) throw invalidField('dateRange', 'The first day is after the last day.');
  return { from: startOfDay(first, timeZone), to: endOfDay(last, timeZone) };
}

/** The clock's time at the beginning of a day, as if it were UTC. */
function wallTime(day: string): number {
  const moment = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(moment)) throw new Error(`not a day: ${day}`);
  return moment;
}

/** The moment at which the clock of a time zone shows this. */
function momentAt(wall: number, timeZone: string): Date {
  const offsetAt = (time: number) => Math.round(tzOffset(timeZone, new Date(time)) * MINUTE_MS);
  // clocks change at most once in these two days
  const [before, after] = [offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS)];
  const shown = [wall - before, wall - after].filter((time) => time + offsetAt(time) === wall);
  return new Date(shown.length > 0 ? Math.min(...shown) : wall - before);
}

/** @param zone an offset, the name of one, or that of a zone. Null for one that no clock has. */
function momentIn(wall: number, zone: string): Date | null {
  const hours = OFFSETS[zone];
  if (hours !== undefined) return new Date(wall - hours * 60 * MINUTE_MS);
  if (/\d{2}$/.test(zone) && !zone.includes('/')) return atOffset(wall, zone.replace(/^(?:UTC|GMT)/, ''));
  // the platform knows other short names, and takes each for one of the zones that have it
  if (!zone.includes('/')) return null;
  try {
    return momentAt(wall, new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  } catch {
    return null;
  }
}

/** @param offset such as `+02:00`. Null for one that no clock has. */
function atOffset(wall: number, offset: string): Date | null {
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 23 || minutes > 59) return null;
  return new Date(wall - (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS);
}
