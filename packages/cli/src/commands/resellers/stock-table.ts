import type { PartnerStock } from '@tonerow/sdk';
import { printFieldsAsCsv } from '#output/files/csv.ts';
import { printRows } from '#output/rows.ts';
import type { Context } from '#run/context.ts';

const COLUMNS = [
  'product_id',
  'product_name',
  'given',
  'available',
  'not_for_sale',
  'handed_out',
  'redeemed',
  'low',
] as const;

/** Prints a stock by product; as CSV, all of it. */
export async function printStock(
  context: Context,
  stock: AsyncIterable<PartnerStock>,
  options: { limit: number; all: boolean; csv: boolean },
): Promise<void> {
  if (options.csv) return printFieldsAsCsv(context, COLUMNS, stock);
  await printRows(context, stock, options, {
    head: ['PRODUCT', 'GIVEN', 'AVAILABLE', 'NOT FOR SALE', 'HANDED OUT', 'REDEEMED', 'STATE'],
    cells: (each) => [
      each.product_name,
      each.given,
      each.available,
      each.not_for_sale,
      each.handed_out,
      each.redeemed,
      each.low ? 'low' : '',
    ],
    none: 'No serials were given yet.\n',
  });
}
