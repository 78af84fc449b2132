import type { Context } from '#run/context.ts';
import type { Cell } from './table.ts';

/** Tells a spreadsheet that a CSV is UTF-8. */
export const BOM = '\ufeff';

const RISKY = /^[=+\-@\t\r]/;

/** One record. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function line(cells: Cell[]): string {
  const text = cells.map((cell) => {
    if (typeof cell !== 'string') return String(cell ?? '');
    const safe = RISKY.test(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${text.join(',')}\r\n`;
}

/** Prints rows as CSV (RFC 4180). */
export async function printCsv(context: Context, head: string[], rows: Cell[][]): Promise<void> {
  await context.write(`${context.globals.bom ? BOM : ''}${[head, ...rows].map(line).join('')}`);
}

/** Prints these fields of all pages of a list as CSV. */
export async function printFieldsAsCsv<Row>(
  context: Context,
  fields: readonly (keyof Row & string)[],
  list: AsyncIterable<Row>,
): Promise<void> {
  const rows: Cell[][] = [];
  for await (const each of list) rows.push(fields.map((field) => each[field] as Cell));
  await printCsv(context, [...fields], rows);
}
