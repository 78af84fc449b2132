import { toCsv } from '@tonerow/sdk/csv';
import { csvDollars, csvMoment } from '#lib/files/csv-cells.ts';
import type { ListedProduct } from './product-rows.tsx';

/** Some products in the form of the server's file of all. */
export const productsCsv = (rows: readonly ListedProduct[]): string =>
  toCsv(
    [
      ...['ID', 'Name', 'Status', 'Price', 'Sale Price', 'Available', 'Generated', 'Redeemed', 'Revenue', 'Files'],
      ...['Version', 'Created'],
    ],
    rows.map((row) => [
      row.id,
      row.name,
      row.is_draft ? 'draft' : 'submitted',
      csvDollars(row.price),
      csvDollars(row.sale_price),
      row.serials_available,
      row.figures?.generated,
      row.figures?.redeemed,
      csvDollars(row.figures?.revenue),
      row.file_urls.length,
      row.figures?.file_version,
      csvMoment(row.created_at, 's'),
    ]),
  );
