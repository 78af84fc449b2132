import { accountNameOrClosed } from '#features/accounts';
import { PRICE } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import { type Cents, toDollars } from '#platform/money.ts';
import { ITEMS, OF_DRAW, STATE } from '../draw-lists.queries.ts';
import type { SaleRow } from './selling.schemas.ts';

/** A sale by hand, as it is kept. */
export interface SoldRow extends Omit<SaleRow, 'price' | 'email'> {
  id: string;
  price_cents: Cents;
  developer_closed: boolean;
  mail_id: string | null;
}

const ACROSS = '/* across tenants: what a reseller sold by hand */';
const SALE = `d.id, d.reference, d.developer_id, ${accountNameOrClosed('u')} as developer_name, u.time_zone as developer_time_zone, u.deleted_at is not null as developer_closed,
  d.product_id, p.name as product_name, d.sold_for_cents as price_cents, i.code, i.expires_at, i.returned_at, ${STATE} as state,
  -- who redeemed a code that came back is another sale's business
  case when i.returned_at is null then s.redeemed_at end as redeemed_at,
  d.note, d.created_at as sold_at, d.mail_id`;
const SALES = `draws d join users u on u.id = d.developer_id join ${ITEMS} on ${OF_DRAW}
  left join products p on (p.developer_id, p.id) = (d.developer_id, d.product_id)`;
const SINCE = 'd.reseller_id = $1 and d.sold_for_cents is not null and d.created_at >= $2';

/** @param email where it was sent, and what became of that. */
export function rowOf(row: SoldRow, email: SaleRow['email']): SaleRow {
  const { id: _, price_cents, developer_closed: _closed, mail_id: _mail, ...sale } = row;
  return { ...sale, price: toDollars(price_cents), email };
}

export async function findSale(sql: Sql, resellerId: string, reference: string): Promise<SoldRow | undefined> {
  const [sale] = await sql.query<SoldRow>(
    `${ACROSS} select ${SALE} from ${SALES}
     where d.reseller_id = $1 and d.reference = $2 and d.sold_for_cents is not null`,
    [resellerId, reference],
  );
  return sale;
}

/** Newest first. `after` is the moment and the id that the page before ended with. */
export async function listSales(
  sql: Sql,
  resellerId: string,
  since: Date,
  after: { at: Date; id: string } | null,
  limit: number,
): Promise<SoldRow[]> {
  return sql.query<SoldRow>(
    `${ACROSS} select ${SALE} from ${SALES}
     where ${SINCE} and ($3::timestamptz is null or (d.created_at, d.id) < ($3, $4::uuid))
     order by d.created_at desc, d.id desc limit $5`,
    [resellerId, since, after?.at ?? null, after?.id ?? null, limit],
  );
}

export async function totalsOf(sql: Sql, resellerId: string, since: Date) {
  const [sums] = await sql.query<{ sales: number; cents: number; returned: number }>(
    `${ACROSS} select count(*) filter (where i.returned_at is null)::int as sales,
       coalesce(sum(d.sold_for_cents) filter (where i.returned_at is null), 0)::bigint as cents,
       count(i.returned_at)::int as returned
     from draws d join draw_items i on ${OF_DRAW} where ${SINCE}`,
    [resellerId, since],
  );
  const { sales = 0, cents = 0, returned = 0 } = sums ?? {};
  return { sales, revenue: toDollars(cents), returned };
}

/** What the code of a draw is sold for at this moment. */
export async function priceOf(sql: Sql, draw: { id: string; developer_id: string }): Promise<Cents> {
  const [row] = await sql.query<{ cents: Cents }>(
    `select ${PRICE} as cents from draw_items i join serials s on (s.developer_id, s.id) = (i.developer_id, i.serial_id)
       join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
       join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where i.developer_id = $1 and i.draw_id = $2`,
    [draw.developer_id, draw.id],
  );
  if (!row) throw new Error('a draw without a serial');
  return row.cents;
}

interface Facts {
  cents: Cents;
  note: string | null;
  mailId: string | null;
}

/** Makes a draw a sale by hand. */
export async function noteSale(sql: Sql, drawId: string, { cents, note, mailId }: Facts): Promise<void> {
  await sql.query('update draws set sold_for_cents = $2, note = $3, mail_id = $4 where id = $1', [
    drawId,
    cents,
    note,
    mailId,
  ]);
}

export async function noteEmail(sql: Sql, drawId: string, mailId: string): Promise<void> {
  await sql.query('update draws set mail_id = $2 where id = $1', [drawId, mailId]);
}
