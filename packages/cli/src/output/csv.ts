import { toCsv } from '@tonerow/sdk/csv';
import type { Context } from '#run/context.ts';
import type { Cell } from './table.ts';

/** Marks a CSV as UTF-8 for spreadsheets. */
export const BOM = '\ufeff';

/** Prints rows as CSV (RFC 4180). */
export async function printCsv(context: Context, head: string[], rows: Cell[][]): Promise<void> {
  await context.write(`${context.globals.bom ? BOM : ''}${toCsv(head, rows)}`);
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
