import { sql } from 'kysely';
import { addCustomers } from '#features/customers';
import { csvLine } from '#platform/csv/write.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Column } from '../columns/fields.ts';
import { copyLine, type ImportContext, type Importer } from '../importer.ts';
import { countStaged } from '../staging.ts';
import { CellError } from './cell-error.ts';
import * as c from './cells.ts';

export const customersDemo = [
  ['First Name', 'Last Name', 'Email', 'Signup Date'],
  ['Nina', 'Simone', 'nina@example.com', '2026-05-01'],
  ['Django', 'Reinhardt', 'django@example.com', '2026-06-12'],
]
  .map(csvLine)
  .join('');

/** Customers a developer already has. Names are filled in only where they are missing. */
export function customersImport({ developerId, importId, now, random }: ImportContext): Importer {
  return {
    stage: sql`create temp table staged (
      line int, id uuid, email text, email_key text, first_name text, last_name text, created_at timestamptz) on commit drop`,
    copy: 'copy staged from stdin',
    nameOf: (table, record) => table.raw(record, 'Email'),
    row(table, record) {
      const cell = (column: Column) => table.cell(record, column);
      const email = c.email(cell('Email'));
      const since = table.moment(record, 'Signup Date', 'start') ?? now;
      if (since > now) throw new CellError('Signup Date is in the future.');
      const [first, last] = [cell('First Name'), cell('Last Name')];
      return copyLine([
        record.line,
        random.id(),
        email,
        emailKey(email),
        c.line(first, 'First Name', 100),
        c.line(last, 'Last Name', 100),
        since,
      ]);
    },
    async settle(tx) {
      const people = sql`
        select distinct on (email_key) id, ${developerId}::uuid, email, email_key, first_name, last_name, created_at, ${importId}::uuid
        from staged order by email_key, line`;
      const added = await addCustomers(tx, people);
      return { added, known: (await countStaged(tx)) - added, cents: null, tally: null };
    },
  };
}
