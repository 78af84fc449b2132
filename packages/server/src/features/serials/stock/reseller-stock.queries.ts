import { sql } from 'kysely';
import { SEEN_BY_RESELLERS } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { isNotForSale, isSellable } from '../rules/availability-rules.ts';
import { B, BATCHES, HANDED_OUT, OPEN, P } from '../rules/rows.ts';
import { type SerialsDb, tables } from '../tables.ts';

export interface ResellerStockRow extends Columns<'products', 'image_url'> {
  product_id: string;
  product_name: string;
  given: number;
  available: number;
  not_for_sale: number;
  handed_out: number;
  redeemed: number;
  low: boolean;
}

export interface StockPage {
  /** The side that reads it: a reseller sees nothing of drafts. */
  reader: 'developer' | 'reseller';
  developerId: string;
  partnershipId: string;
  now: Date;
  /** The last row of the previous page: its `sort_key` and its product. */
  after: { name: string; id: string } | null;
  limit: number;
}

/** Whether a developer has a partnership. */
export async function hasPartnership(db: SerialsDb, developerId: string, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('partnerships')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

/** The partnership of a reseller with a developer, while it lasts. */
export function partnershipWith(db: SerialsDb, developerId: string, resellerId: string) {
  return db
    .selectFrom('partnerships')
    .select(['id', 'status'])
    .where('developer_id', '=', developerId)
    .where('reseller_id', '=', resellerId)
    .where('status', 'in', ['active', 'paused'])
    .executeTakeFirst();
}

/** A reseller's serials of each product, by state: a page of products by name. */
export async function resellerStock(
  handle: Sql,
  { reader, developerId, partnershipId, now, after, limit }: StockPage,
): Promise<{ rows: (ResellerStockRow & { sort_key: string })[]; total: number }> {
  const own = tables.in(handle);
  const seen = reader === 'reseller' ? SEEN_BY_RESELLERS : sql`p.deleted_at is null`;
  const given = sql`from ${BATCHES}
    where b.developer_id = ${developerId} and b.partnership_id = ${partnershipId} and ${seen}`;
  // each of these is a partial index
  const count = (which: typeof OPEN) =>
    sql<number>`(select count(*) from serials s where s.developer_id = ${developerId} and s.batch_id = b.id and ${which})`;
  const terms = { batch: B, product: P };
  // the page is chosen first, so that only its batches are counted
  const { rows } = await sql<ResellerStockRow & { sort_key: string }>`
    select p.name_key as sort_key, p.id as product_id, p.name as product_name, p.image_url, sum(n.given)::int as given,
      sum(n.available)::int as available, sum(n.not_for_sale)::int as not_for_sale, sum(n.handed_out)::int as handed_out,
      sum(n.redeemed)::int as redeemed, coalesce(sum(n.available + n.not_for_sale) < t.low_stock_threshold, false) as low
    from partnerships t ${ownJoin('batches as b', 'b.partnership_id', 't.id')}
      ${ownJoin('products as p', 'p.id', 'b.product_id')}
      cross join lateral (
        select b.quantity as given, ${count(HANDED_OUT)} as handed_out, ${count(sql`s.redeemed_at is not null`)} as redeemed,
          case when ${isSellable(terms, sql`${now}`)} then ${count(OPEN)} else 0 end as available,
          case when ${isNotForSale(terms, sql`${now}`)} then ${count(OPEN)} else 0 end as not_for_sale) n
    where t.developer_id = ${developerId} and t.id = ${partnershipId} and p.id = any(array(
      select p.id ${given} ${after ? sql`and (p.name_key, p.id) > (${after.name}, ${after.id}::uuid)` : sql``}
      group by p.name_key, p.id order by p.name_key, p.id limit ${limit}))
    group by p.id, p.name, p.image_url, p.name_key, t.low_stock_threshold order by p.name_key, p.id`.execute(own);
  const counted = await sql<{ n: number }>`select count(distinct p.id)::int as n ${given}`.execute(own);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}
