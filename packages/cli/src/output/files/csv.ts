import { toCsv } from '@tonerow/sdk/csv';
import type { Context } from '#run/context.ts';
import type { Cell } from '../table.ts';

/** Marks a CSV as UTF-8 for spreadsheets. */
export const BOM = '\ufeff';

/** Prints rows as CSV (RFC 4180). */
export async function printCsv(context: Context, head: string[], rows: Cell[][]): Promise<void> {
  await context.write(`${context.globals.bom ? BOM : ''}${toCsv(head, rows)}`);
}

/** Rows that are written together. */
const CHUNK = 1000;

/** Prints these fields of all pages of a list as CSV, as they come. */
export async function printFieldsAsCsv<Row>(
  context: Context,
  fields: readonly (keyof Row & string)[],
  list: AsyncIterable<Row>,
): Promise<void> {
  let [rows, begun]: [Cell[][], boolean] = [[], false];
  const printPart = async () => {
    const text = toCsv([...fields], rows);
    if (!begun) await printCsv(context, [...fields], rows);
    else await context.write(text.slice(text.indexOf('\n') + 1));
    [rows, begun] = [[], true];
  };
  for await (const each of list) {
    rows.push(fields.map((field) => each[field] as Cell));
    if (rows.length >= CHUNK) await printPart();
  }
  if (rows.length > 0 || !begun) await printPart();
}
