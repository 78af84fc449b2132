import { toCsv } from '@tonerow/sdk/csv';
import { csvMoment } from '#lib/files/csv-cells.ts';
import type { RedeemedSerial } from '#lib/types.ts';
import { totalPlain } from './redeemed-total.ts';

/** Some redeemed serials in the form of the server's file of all. */
export const redeemedCsv = (rows: readonly RedeemedSerial[]): string =>
  toCsv(
    ['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Product', 'Total'],
    rows.map((row) => [
      csvMoment(row.redeemed_at, 's'),
      row.first_name,
      row.last_name,
      row.email,
      row.code,
      row.product_name,
      totalPlain(row),
    ]),
  );
