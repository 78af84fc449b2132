/** How the style of a cell shows its number: as a date, or as digits with zeros in front of it. */
export type CellFormat = 'number' | 'date' | { digits: number };

/** Formats with a number of their own that show dates or times. */
const DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** @param id the number of the format @param code what it is made of, if that is its own */
export function cellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return DATES.some(([first, last]) => id >= first && id <= last) ? 'date' : 'number';
  if (/^0{2,}$/.test(code)) return { digits: code.length };
  // removes texts, colors, conditions and escaped characters
  const bare = code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_./gi, '');
  return /[dyhs]|m{1,4}/i.test(bare.replace(/general/gi, '')) ? 'date' : 'number';
}

const DAY = 86_400_000;

/** The day that a workbook counts as a number, with its time if it has one: on no particular clock. */
export function dateText(value: string, date1904: boolean): string {
  const number = Number(value);
  if (!Number.isFinite(number) || number < 0 || number > 2_958_466) return value;
  // the 29th of February 1900 is counted and did not exist
  const days = date1904 ? number + 1462 : number < 60 ? number + 1 : number;
  const moment = new Date(Date.UTC(1899, 11, 30) + Math.round((days * DAY) / 1000) * 1000).toISOString();
  return moment.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : moment.slice(0, 19).replace('T', ' ');
}

/** The digits of a number as it was typed: 49.1 and not 49.100000000000001. One that lost digits shows that it did. */
export function numberText(value: string, format: Exclude<CellFormat, 'date'>): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (Math.abs(number) >= 1e15) return number.toExponential(2).toUpperCase();
  const text = String(Number(number.toPrecision(15)));
  return typeof format === 'object' && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text;
}
