import { UsageError } from '#exit.ts';
import { type Option, text } from './option-types.ts';

/** Periods to filter a list by, besides custom dates. */
const RANGES = ['all', '1w', '2w', '1m'];
/** As the server reads it: half of custom dates are the last 30 days. */
const VALID = /^(all|1w|2w|1m|custom|(\d{4}-\d{2}-\d{2})?_to_(\d{4}-\d{2}-\d{2})?)$/;

/** A period, refused by the name of the option: the server knows it by another. */
export function dates(about: string, more: { fallback: string }): Option<string>;
export function dates(about: string): Option<string | undefined>;
export function dates(about: string, more: { fallback?: string } = {}): Option<string | undefined> {
  const option: Option<string | undefined> = text('<range>', about, { values: RANGES, ...more } as object);
  const parse = (given: unknown, flag: string) => {
    const value = option.parse(given, flag);
    if (value === undefined) return undefined;
    if (!VALID.test(value)) throw new UsageError(`${flag} takes all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD.`);
    const [first = '', last = ''] = value.split('_to_');
    for (const day of [first, last])
      if (/^\d/.test(day) && day.includes('-') && !isDay(day)) throw new UsageError(`${flag}: there is no day ${day}.`);
    if (last !== '' && first > last) throw new UsageError(`${flag}: the first day is after the last day.`);
    return value;
  };
  return { ...option, parse };
}

const isDay = (text: string): boolean => {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
};
