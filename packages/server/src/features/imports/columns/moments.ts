import { fold, narrow } from '#platform/text/text.ts';
import { readMoment } from '#platform/time/days.ts';
import { CellError } from '../kinds/cell-error.ts';

/** How a column writes its days where it begins with neither the year nor a name: 31/12/2026 or 12/31/2026. */
export const dayOrders = ['dmy', 'mdy'] as const;
export type DayOrder = (typeof dayOrders)[number];

const NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)(.*)$/s;
const YEAR_FIRST = /^(\d{4})(?:[./-]|年 ?)(\d{1,2})(?:[./-]|月 ?)(\d{1,2})日?(?!\d)(.*)$/s;
const WEEKDAY = /^\p{L}{2,12}\.?,\s*(?=\d)/u;
const DAY_NAME =
  /^(\d{1,2})(?:st|nd|rd|th|er|\.)?[\s-]+(?:de\s+)?(\p{L}{3,12})\.?,?[\s-]+(?:de\s+)?(\d{4})(?!\d)(.*)$/su;
const NAME_DAY = /^(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)(.*)$/su;
const TIME =
  /^(?:T|,?\s*(?:@|at|um|à|a las|alle)?\s*)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*(?:([ap])\.?m\.?|uhr|h))?(?:\s*([^\s].*))?$/isu;
const UNIX = /^\d{10}(?:\d{3})?$/;
const SHEET_DAY = /^\d{5}(?:[.,]\d+)?$/;

const months = monthNames();

/** The names of months in the languages that heads are understood in; Japanese ones are numbers. */
function monthNames(): Map<string, number> {
  const names = new Map<string, number>();
  for (const language of ['en', 'de', 'fr', 'es', 'it']) {
    for (const width of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
      for (let month = 0; month < 12; month += 1) {
        names.set(fold(format.format(new Date(Date.UTC(2024, month, 15)))).replace('.', ''), month + 1);
      }
    }
  }
  for (const [name, month] of [
    ['sept', 9],
    ['mrz', 3],
    ['janv', 1],
  ] as const)
    names.set(name, month);
  return names;
}

/** Derives the order of a column from one date: `31/12/2026` has the day first, `03/04/2026` may be either. */
export function dayOrderOf(text: string): DayOrder | 'either' | null {
  const match = NUMBERS.exec(narrow(text).trim());
  if (!match) return null;
  const [first, second] = [Number(match[1]), Number(match[3])];
  if (first > 12) return second > 12 ? null : 'dmy';
  if (second > 12) return 'mdy';
  // nobody writes the month first with points
  if (match[2] === '.') return 'dmy';
  return first === second ? null : 'either';
}

/**
 * A date of any common form, as {@link readMoment} reads it: without an offset or the name of a zone it is on the account's clock.
 * @returns null for an empty cell
 * @throws {CellError} for anything else
 */
export function moment(
  text: string,
  { column, edge, timeZone, order }: { column: string; edge: 'start' | 'end'; timeZone: string; order: DayOrder },
): Date | null {
  if (text === '') return null;
  const plain = readMoment(text, edge, timeZone);
  if (plain) return plain;
  const shown = `"${text.slice(0, 40)}"`;
  const tidy = narrow(text).trim();
  if (UNIX.test(tidy)) return new Date(Number(tidy.padEnd(13, '0')));
  if (SHEET_DAY.test(tidy)) {
    throw new CellError(
      `${column} is a spreadsheet's number of a day: ${shown}. Format the column as dates, and save it again.`,
    );
  }
  const parts = partsOf(tidy, order);
  if (parts?.year.length === 2) throw new CellError(`${column} needs a year of four digits: ${shown}.`);
  const found = parts && readMoment(isoOf(parts), edge, timeZone);
  if (!found) throw new CellError(`${column} is not a date such as 2026-12-31: ${shown}.`);
  return found;
}

interface Parts {
  year: string;
  month: number;
  day: number;
  /** The text after the day. */
  rest: string;
}

function partsOf(text: string, order: DayOrder): Parts | null {
  const numbers = NUMBERS.exec(text);
  if (numbers) {
    const [first, second] = [Number(numbers[1]), Number(numbers[3])];
    const [day, month] = order === 'dmy' ? [first, second] : [second, first];
    return { year: numbers[4] as string, month, day, rest: numbers[5] as string };
  }
  const year = YEAR_FIRST.exec(text);
  if (year) return { year: year[1] as string, month: Number(year[2]), day: Number(year[3]), rest: year[4] as string };
  const named = text.replace(WEEKDAY, '');
  const [, day, name, its, rest] = DAY_NAME.exec(named) ?? [];
  if (its) return { year: its, month: monthOf(name), day: Number(day), rest: rest ?? '' };
  const [, first, second, last, tail] = NAME_DAY.exec(named.replace(/^\p{L}+,\s*/u, '')) ?? [];
  return last ? { year: last, month: monthOf(first), day: Number(second), rest: tail ?? '' } : null;
}

const monthOf = (name = '') => months.get(fold(name)) ?? 0;
const two = (n: number | string) => String(n).padStart(2, '0');

/** The empty text for what is no time of a day. */
function isoOf({ year, month, day, rest }: Parts): string {
  const date = `${year}-${two(month)}-${two(day)}`;
  if (rest.trim() === '') return date;
  const time = TIME.exec(rest);
  if (!time) return '';
  const [, hour = '', minute, second = '00', part, half, zone = ''] = time;
  let hours = Number(hour);
  if (half) {
    if (hours < 1 || hours > 12) return '';
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  return `${date}T${two(hours)}:${minute}:${second}${part ? `.${part}` : ''}${zone === '' ? '' : ` ${zone}`}`;
}
