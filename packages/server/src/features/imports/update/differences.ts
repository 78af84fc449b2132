import { type RawBuilder, sql } from 'kysely';
import { broughtCustomers } from '#features/customers';
import { broughtBy } from '#features/redemption';
import { ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { dollarsSql } from '#platform/money.ts';
import type { ImportsHandle } from '../tables.ts';
import type { Taken } from '../undo/built-on.ts';
import type { Cell, Difference, Differences } from './difference.ts';

const SHOWN = 100;
const PAGE = 5000;

const dollars = (cents: string) => sql.raw(dollarsSql(cents));

const machinesOf = (developerId: string) => sql`
  select string_agg(a.machine_id, ', ' order by a.machine_id) from activations a
  where a.developer_id = ${developerId} and a.serial_id = s.id and a.released_at is null`;

/** The rows that an import has brought, as they are now: the key of each, its name, and its fields by import column. */
const broughtRows = (taken: Taken): RawBuilder<unknown> => {
  const { developerId, importId, kind } = taken;
  if (kind === 'customers')
    return sql`select c.id, c.email_key as key, c.email as name, json_build_object('First Name', c.first_name,
        'Last Name', c.last_name, 'Signup Date', c.created_at) as fields
      from customers c where ${broughtCustomers(taken)}`;
  if (kind === 'available')
    return sql`select s.id, s.code_key as key, s.code as name, json_build_object('Product', p.name,
        'Promo Price', ${dollars('b.promo_price_cents')}, 'Active From', b.promo_start, 'Promo Expires', b.promo_expires,
        'Active To', b.expires_at, 'Batch Tag', b.batch_tag, 'Notes', b.notes,
        'Handed Out', s.handed_out_at is not null) as fields
      from batches b ${ownJoin('serials as s', 's.batch_id', 'b.id')}
        ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where b.developer_id = ${developerId} and s.developer_id = ${developerId} and p.developer_id = ${developerId}
        and b.import_id = ${importId}::uuid`;
  return sql`select r.id, s.code_key as key, s.code as name, json_build_object('Product', p.name, 'Email', c.email,
      'First Name', c.first_name, 'Last Name', c.last_name, 'Total Price', ${dollars('r.final_price_cents')},
      'Purchase Date', r.redeemed_at, 'Downloads', s.download_count, 'Revoked', s.revoked_at is not null, 'Country', r.country,
      'Reseller', pt.name, 'Machines', (${machinesOf(developerId)}), 'Notes', b.notes) as fields
    from redemptions r ${ownJoin('serials as s', 's.id', 'r.serial_id')}
      ${ownJoin('batches as b', 'b.id', 's.batch_id')}
      ${ownJoin('products as p', 'p.id', 'r.product_id')}
      ${ownJoin('customers as c', 'c.id', 'r.customer_id')}
      ${ownLeftJoin('partnerships as pt', 'pt.id', 'r.partnership_id')}
    where ${broughtBy(taken)} and s.developer_id = ${developerId} and b.developer_id = ${developerId}
      and p.developer_id = ${developerId} and c.developer_id = ${developerId}`;
};

/**
 * Keeps what an import has brought in a table of the session, a page at a time: no statement has such a table and shared ones, which can
 * be on different machines.
 */
export async function noteBrought(tx: ImportsHandle, table: 'rows_before' | 'rows_after', taken: Taken): Promise<void> {
  await sql`create temp table ${sql.table(table)} (key text collate "C" primary key, name text, fields json) on commit drop`.execute(
    tx,
  );
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await sql<{ n: number; last: string | null; page: string | null }>`
      select count(*)::int as n, (array_agg(x.id order by x.id desc))[1] as last, json_agg(x)::text as page
      from (select * from (${broughtRows(taken)}) b where b.id > ${after}::uuid order by b.id limit ${sql.lit(PAGE)}) x`.execute(
      tx,
    );
    const [found] = rows;
    if (!found?.page || !found.last) break;
    await sql`insert into ${sql.table(table)} (key, name, fields)
      select key, name, fields from json_to_recordset(${found.page}::json) as x (key text, name text, fields json)
      on conflict do nothing`.execute(tx);
    if (found.n < PAGE) break;
    after = found.last;
  }
  await sql`analyze ${sql.table(table)}`.execute(tx);
}

/** The differences between `rows_before` and `rows_after`. */
export async function differences(tx: ImportsHandle): Promise<Differences> {
  const compared = sql`
    select coalesce(a.name, b.name) as what, b.fields as before, a.fields as after,
      case when b.key is null then 'new' when a.key is null then 'gone'
        when a.fields::jsonb is distinct from b.fields::jsonb then 'changed' else 'same' end as change
    from rows_before b full join rows_after a on a.key = b.key`;
  const counts = await sql<{ change: 'same' | Difference['change']; n: number }>`
    select change, count(*)::int as n from (${compared}) x group by 1`.execute(tx);
  const shown = await sql<{ what: string; change: Difference['change']; before: Fields | null; after: Fields | null }>`
    select * from (${compared}) x where change <> 'same' order by change, what limit ${sql.lit(SHOWN)}`.execute(tx);
  const count = (change: string) => counts.rows.find((row) => row.change === change)?.n ?? 0;
  return {
    same: count('same'),
    changed: count('changed'),
    new: count('new'),
    gone: count('gone'),
    rows: shown.rows.map(({ what, change, before, after }) => ({
      what,
      change,
      fields: change === 'changed' ? fieldsThatDiffer(before ?? {}, after ?? {}) : [],
    })),
  };
}

type Fields = Record<string, Cell>;

/** Fields that are otherwise after than before. */
export function fieldsThatDiffer(before: Fields, after: Fields): Difference['fields'] {
  return Object.keys(after).flatMap((column) => {
    const [was, is] = [before[column] ?? null, after[column] ?? null];
    return was === is ? [] : [{ column, before: was, after: is }];
  });
}
