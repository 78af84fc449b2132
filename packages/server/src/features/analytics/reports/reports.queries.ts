import type { DayPeriod } from '../../../platform/days.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { listOf } from '../../../platform/db/list-index.ts';
import { HANDED_OUT, inStock, OPEN } from '../../serials/index.ts';

export interface StockRow {
  product_id: string;
  product: string;
  available: number;
  redeemed: number;
}

/** What is left of each published product, and what was redeemed in some days; the first to run out first. */
export async function stockOf(
  sql: Sql,
  developerId: string,
  { days, now, product, limit }: { days: DayPeriod; now: Date; product: string | null; limit: number },
): Promise<StockRow[]> {
  return sql.query<StockRow>(
    `with sold as (
       select d.product_id, sum(d.redemptions)::int as n from ledger_days d
       where d.developer_id = $1 and d.day >= $2 and d.day <= $3 group by 1
     ), stock as (
       select b.product_id, sum((select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}))::int as n
       from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where b.developer_id = $1 and ${listOf('b')} and ${inStock('$4')} and ($5::uuid is null or b.product_id = $5) group by 1
     )
     select p.id as product_id, p.name as product, coalesce(k.n, 0) as available, coalesce(o.n, 0) as redeemed
     from products p left join stock k on k.product_id = p.id left join sold o on o.product_id = p.id
     where p.developer_id = $1 and ${listOf('p')} and p.deleted_at is null and not p.is_draft and ($5::uuid is null or p.id = $5)
     order by coalesce(k.n, 0)::numeric / nullif(o.n, 0) nulls last, p.name, p.id limit $6`,
    [developerId, days.from, days.to, now, product, limit],
  );
}

export interface FunnelRow {
  id: string;
  batch_tag: string | null;
  product_id: string;
  product: string;
  reseller: string | null;
  created_at: Date;
  generated: number;
  handed_out: number;
  redeemed: number;
  activated: number;
}

interface FunnelFilter {
  developerId: string;
  product: string | undefined;
  reseller: string | undefined;
  after: string | null;
  limit: number;
}

/**
 * How far the serials of batches came, the newest batch first. Each count has an index: of those that were redeemed, of those
 * that a reseller handed out and nobody redeemed, and of those that were revoked instead.
 */
export async function funnelsOf(
  sql: Sql,
  { developerId, product, reseller, after, limit }: FunnelFilter,
): Promise<FunnelRow[]> {
  return sql.query<FunnelRow>(
    `with page as materialized (
       select b.developer_id, b.id, b.batch_tag, b.product_id, p.name as product, coalesce(h.name, t.name) as reseller, b.created_at, b.quantity
       from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
         left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)
         left join partnerships h on (h.developer_id, h.id) = (t.developer_id, t.merged_into)
       where b.developer_id = $1 and ${listOf('b')} and p.deleted_at is null and ($2::uuid is null or b.product_id = $2)
         and ($3::text is null or case when $3 = 'none' then t.id is null else coalesce(h.id, t.id)::text = $3 end)
         and ($4::uuid is null or b.id < $4)
       order by b.id desc limit $5
     )
     select b.id, b.batch_tag, b.product_id, b.product, b.reseller, b.created_at, b.quantity as generated,
       r.handed_out + w.n + v.n as handed_out, r.redeemed, r.activated
     from page b
       cross join lateral (
         select count(*)::int as redeemed, count(s.handed_out_at)::int as handed_out, count(*) filter (where exists (
           select 1 from activations a where (a.developer_id, a.serial_id) = (s.developer_id, s.id)))::int as activated
         from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.redeemed_at is not null) r
       cross join lateral (
         select count(*)::int as n from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${HANDED_OUT}) w
       cross join lateral (
         select count(*)::int as n from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id)
           and s.revoked_at is not null and s.redeemed_at is null and s.handed_out_at is not null) v
     order by b.id desc`,
    [developerId, product ?? null, reseller ?? null, after, limit],
  );
}

/** Redemptions of some days by product, from the daily sums. */
export async function redemptionsByDay(
  sql: Sql,
  developerId: string,
  { from, to }: DayPeriod,
): Promise<{ product_id: string; day: string; n: number }[]> {
  return sql.query(
    `select d.product_id, d.day::text as day, sum(d.redemptions)::int as n from ledger_days d
     where d.developer_id = $1 and d.day >= $2 and d.day <= $3 group by 1, 2 having sum(d.redemptions) > 0 order by 1, 2`,
    [developerId, from, to],
  );
}
