import { MINUTE } from '../clock.ts';

/** Moments that come again, such as every night at three, in UTC. */
export interface Cron {
  /** The last moment that is not after this one; null when there is none within a year. */
  lastAt(now: Date): Date | null;
  /** The next moment after this one; null when there is none within a year. */
  nextAfter(now: Date): Date | null;
}

const FIELDS = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of the month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12 },
  { name: 'day of the week', from: 0, to: 7 },
] as const;
const NAMED: Record<string, string> = { '@hourly': '0 * * * *', '@daily': '0 3 * * *', '@weekly': '0 3 * * 0' };
const MINUTES_OF_A_YEAR = 366 * 24 * 60;

/**
 * Reads five fields as cron has them: minute, hour, day of the month, month, day of the week, each a star, a number, a range, a list of these,
 * or one of these with a step; in UTC.
 * @throws {RangeError} with what is wrong, for the author of the schedule.
 */
export function readCron(text: string): Cron {
  const parts = (NAMED[text.trim()] ?? text).trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    throw new RangeError(`“${text}” is no schedule. Use five fields, such as "0 3 * * *" for every night at 3:00 UTC.`);
  const [minutes, hours, days, months, weekdays] = FIELDS.map((field, at) => readField(parts[at] as string, field)) as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.has(7)) weekdays.add(0);
  // as cron does: where both are limited, either is enough
  const either = parts[2] !== '*' && parts[4] !== '*';
  const isDay = (at: Date) => {
    const [day, weekday] = [days.has(at.getUTCDate()), weekdays.has(at.getUTCDay())];
    return either ? day || weekday : day && weekday;
  };
  const fits = (at: Date) =>
    minutes.has(at.getUTCMinutes()) && hours.has(at.getUTCHours()) && months.has(at.getUTCMonth() + 1) && isDay(at);
  const search = (from: number, step: number): Date | null => {
    for (let tried = 0; tried <= MINUTES_OF_A_YEAR; tried += 1) {
      const at = new Date(from + tried * step);
      if (fits(at)) return at;
    }
    return null;
  };
  const minuteOf = (now: Date) => Math.floor(now.getTime() / MINUTE) * MINUTE;
  return {
    lastAt: (now) => search(minuteOf(now), -MINUTE),
    nextAfter: (now) => search(minuteOf(now) + MINUTE, MINUTE),
  };
}

function readField(text: string, { name, from, to }: (typeof FIELDS)[number]): Set<number> {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [, all, first, last, step] = /^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    const begin = all ? from : Number(first);
    const end = all ? to : last !== undefined ? Number(last) : step !== undefined ? to : begin;
    const by = step === undefined ? 1 : Number(step);
    if (!(begin >= from && end <= to && begin <= end && by >= 1))
      throw new RangeError(`“${text}” is no ${name}: it goes from ${from} to ${to}.`);
    for (let value = begin; value <= end; value += by) found.add(value);
  }
  return found;
}
