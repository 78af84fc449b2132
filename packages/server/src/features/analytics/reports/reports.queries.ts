import { sql } from 'kysely';
import { inStock, OPEN } from '#features/serials';
import { inList } from '#platform/db/statements/list-index.ts';
import { lookUpOwn, ownJoin } from '#platform/db/tenant.ts';
import type { DayPeriod } from '#platform/time/days.ts';
import type { AnalyticsHandle } from '../tables.ts';

interface StockRow {
  product_id: string;
  product: string;
  available: number;
  redeemed: number;
}

/** The stock of each published product, and its redemptions in some days, ordered by which runs out first. */
export async function stockOf(
  handle: AnalyticsHandle,
  developerId: string,
  { days, now, product, limit }: { days: DayPeriod; now: Date; product: string | undefined; limit: number },
): Promise<StockRow[]> {
  const only = (column: string) => (product === undefined ? sql`` : sql` and ${sql.ref(column)} = ${product}`);
  // put together by their groups: joined, each product would be looked for among all others where the statistics know of few
  const { rows } = await sql<StockRow>`
    with part as (
      select p.id as product_id, 0 as available, 0 as redeemed from products p
      where p.developer_id = ${developerId} and ${inList('p.created_at')}${only('p.id')}
      union all
      select b.product_id, (
        select count(*) from serials s where s.developer_id = ${developerId} and s.batch_id = b.id and ${OPEN}), 0
      from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where b.developer_id = ${developerId} and ${inList('b.created_at')}
        and ${inStock(now)}${only('b.product_id')}
      union all
      select d.product_id, 0, d.redemptions from ledger_days d
      where d.developer_id = ${developerId} and d.day >= ${days.from} and d.day <= ${days.to}${only('d.product_id')}
    )
    select p.id as product_id, p.name as product, x.available::int as available, x.redeemed::int as redeemed
    from (select product_id, sum(available) as available, sum(redeemed) as redeemed from part group by 1 offset 0) x
      ${lookUpOwn('products as p', developerId, sql`x.product_id`)}
    where p.deleted_at is null and not p.is_draft
    order by x.available / nullif(x.redeemed, 0) nulls last, p.name, p.id limit ${limit}`.execute(handle);
  return rows;
}

/** Redemptions of some days by product, from the daily sums. */
export const redemptionsByDay = (
  handle: AnalyticsHandle,
  developerId: string,
  { from, to }: DayPeriod,
  ids: string[] | undefined,
) =>
  handle
    .selectFrom('ledger_days as d')
    .select(['d.product_id', 'd.day', sql<number>`sum(d.redemptions)::int`.as('n')])
    .where('d.developer_id', '=', developerId)
    .where('d.day', '>=', from)
    .where('d.day', '<=', to)
    .$if(ids !== undefined, (all) => all.where('d.product_id', '=', sql<string>`any(${ids}::uuid[])`))
    .groupBy(['d.product_id', 'd.day'])
    .having(({ fn }) => fn.sum('d.redemptions'), '>', 0)
    .orderBy('d.product_id')
    .orderBy('d.day')
    .execute();
