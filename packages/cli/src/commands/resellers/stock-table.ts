import type { PartnerStock } from '@tonerow/sdk';
import type { Context } from '../../context.ts';
import { printCsv } from '../../output/csv.ts';
import { table } from '../../output/table.ts';

const COLUMNS = ['product_id', 'product_name', 'given', 'available', 'handed_out', 'redeemed', 'low'] as const;

/** Prints a stock by product. */
export async function printStock(context: Context, stock: PartnerStock[], csv: boolean): Promise<void> {
  if (csv) {
    const rows = stock.map((each) => COLUMNS.map((name) => each[name]));
    return printCsv(context, [...COLUMNS], rows);
  }
  const rows = stock.map((each) => [
    each.product_name,
    each.given,
    each.available,
    each.handed_out,
    each.redeemed,
    each.low ? 'low' : '',
  ]);
  const head = ['PRODUCT', 'GIVEN', 'AVAILABLE', 'HANDED OUT', 'REDEEMED', 'STATE'];
  await context.print(stock, rows.length === 0 ? 'No serials were given yet.\n' : table(head, rows));
}
