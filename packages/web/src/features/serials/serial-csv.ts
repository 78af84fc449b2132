import { toCsv } from '@tonerow/sdk/csv';
import { csvMoment } from '#lib/files/csv-cells.ts';
import type { Serial } from '#lib/types.ts';

type Row = Pick<
  Serial,
  'code' | 'product_name' | 'promo_price' | 'promo_expires' | 'promo_start' | 'expires_at' | 'batch_tag' | 'notes'
>;

/** Some serials in the form of the server's file of all. */
export const serialsCsv = (rows: readonly Row[]): string =>
  toCsv(
    ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag', 'Notes'],
    rows.map((row) => [
      row.code,
      row.product_name,
      row.promo_price,
      csvMoment(row.promo_expires),
      csvMoment(row.promo_start),
      csvMoment(row.expires_at),
      row.batch_tag,
      row.notes,
    ]),
  );
