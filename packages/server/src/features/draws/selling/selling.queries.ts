import { sql } from 'kysely';
import { nameOrClosed } from '#features/accounts';
import { developersOf } from '#features/partnerships';
import { PRICE } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { type Cents, toDollars } from '#platform/money.ts';
import { findDraw } from '../draw.queries.ts';
import { drawsOf, ITEMS, ofDraw, STATE } from '../draw-lists.queries.ts';
import { type DrawsHandle, tables } from '../tables.ts';
import type { SaleRow } from './selling.schemas.ts';

/** A sale by hand, as it is kept. */
export interface SoldRow extends Omit<SaleRow, 'price' | 'email'>, Columns<'draws', 'id' | 'mail_id'> {
  price_cents: Cents;
  developer_closed: boolean;
}

const select = (developers: readonly string[]) => sql`
  select d.id, d.reference, d.developer_id, ${nameOrClosed('u')} as developer_name, u.time_zone as developer_time_zone,
    u.deleted_at is not null as developer_closed, d.product_id, p.name as product_name, d.sold_for_cents as price_cents,
    i.code, i.expires_at, i.returned_at, ${STATE} as state,
    -- who redeemed a code that came back is another sale's business
    case when i.returned_at is null then s.redeemed_at end as redeemed_at,
    d.note, d.created_at as sold_at, d.mail_id
  from ${drawsOf(developers)} join ${ITEMS} on ${ofDraw(developers)}`;
/** Draws `d` of a reseller that are sales. */
const soldSince = (resellerId: string, since: Date) =>
  sql`d.reseller_id = ${resellerId} and d.sold_for_cents is not null and d.created_at >= ${since}`;

/** @param email where it was sent, and its state. */
export function rowOf(row: SoldRow, email: SaleRow['email']): SaleRow {
  const { id: _, price_cents, developer_closed: _closed, mail_id: _mail, ...sale } = row;
  return { ...sale, price: toDollars(price_cents), email };
}

export async function findSale(handle: Sql, resellerId: string, reference: string): Promise<SoldRow | undefined> {
  const draw = await findDraw(handle, resellerId, reference);
  if (!draw) return undefined;
  const { rows } = await sql<SoldRow>`${select([draw.developer_id])}
    where d.reseller_id = ${resellerId} and d.reference = ${reference} and d.sold_for_cents is not null`.execute(
    tables.in(handle),
  );
  return rows[0];
}

/** Newest first. `after` is the moment and the id that the page before ended with. */
export async function listSales(
  handle: Sql,
  resellerId: string,
  since: Date,
  after: { at: Date; id: string } | null,
  limit: number,
): Promise<SoldRow[]> {
  const further = after ? sql`and (d.created_at, d.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``;
  const { rows } = await sql<SoldRow>`${select(await developersOf(handle, resellerId))}
    where ${soldSince(resellerId, since)} ${further}
    order by d.created_at desc, d.id desc limit ${limit}`.execute(tables.in(handle));
  return rows;
}

export async function totalsOf(handle: Sql, resellerId: string, since: Date) {
  const developers = await developersOf(handle, resellerId);
  const { rows } = await sql<{ sales: number; cents: number; returned: number }>`
    select count(*) filter (where i.returned_at is null)::int as sales,
      coalesce(sum(d.sold_for_cents) filter (where i.returned_at is null), 0)::bigint as cents,
      count(i.returned_at)::int as returned
    from draws d join draw_items i on ${ofDraw(developers)} where ${soldSince(resellerId, since)}`.execute(
    tables.in(handle),
  );
  const { sales = 0, cents = 0, returned = 0 } = rows[0] ?? {};
  return { sales, revenue: toDollars(cents), returned };
}

/** The current price of a draw's code. */
export async function priceOf(handle: DrawsHandle, draw: { id: string; developer_id: string }): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select ${PRICE} as cents from draw_items i ${ownJoin('serials as s', 's.id', 'i.serial_id')}
      ${ownJoin('batches as b', 'b.id', 's.batch_id')}
      ${ownJoin('products as p', 'p.id', 'b.product_id')}
    where i.developer_id = ${draw.developer_id} and i.draw_id = ${draw.id}`.execute(handle);
  const [row] = rows;
  if (!row) throw new Error('a draw without a serial');
  return row.cents;
}

interface Facts {
  cents: Cents;
  note: string | null;
  emailId: string | null;
}

/** Makes a draw a sale by hand. */
export async function noteSale(handle: DrawsHandle, drawId: string, { cents, note, emailId }: Facts): Promise<void> {
  await handle
    .updateTable('draws')
    .set({ sold_for_cents: cents, note, mail_id: emailId })
    .where('id', '=', drawId)
    .execute();
}

export async function noteEmail(handle: DrawsHandle, drawId: string, emailId: string): Promise<void> {
  await handle.updateTable('draws').set({ mail_id: emailId }).where('id', '=', drawId).execute();
}
