import { toCsv } from '@tonerow/sdk/csv';
import { csvMoment } from '#lib/files/csv-cells.ts';
import type { Customer } from '#lib/types.ts';

/** Some customers in the form of the server's file of all. */
export const customersCsv = (rows: readonly Customer[]): string =>
  toCsv(
    ['Signup Date', 'First Name', 'Last Name', 'Email', 'ID', 'Last Login', 'Product', 'Serial'],
    rows.map((row) => [
      csvMoment(row.signup_date, 's'),
      row.first_name,
      row.last_name,
      row.email,
      row.id,
      csvMoment(row.last_login, 's'),
      row.product_name,
      row.serial_code,
    ]),
  );
