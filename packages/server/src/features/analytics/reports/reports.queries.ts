import { inStock, OPEN } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { DayPeriod } from '#platform/time/days.ts';

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
    // put together by their groups: joined, each product would be looked for among all others where the statistics know of few
    `with part as (
       select p.id as product_id, 0 as available, 0 as redeemed from products p
       where p.developer_id = $1 and ${listOf('p')} and ($5::uuid is null or p.id = $5)
       union all
       select b.product_id, (select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}), 0
       from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where b.developer_id = $1 and ${listOf('b')} and ${inStock('$4')} and ($5::uuid is null or b.product_id = $5)
       union all
       select d.product_id, 0, d.redemptions from ledger_days d
       where d.developer_id = $1 and d.day >= $2 and d.day <= $3 and ($5::uuid is null or d.product_id = $5)
     )
     select p.id as product_id, p.name as product, x.available::int as available, x.redeemed::int as redeemed
     from (select product_id, sum(available) as available, sum(redeemed) as redeemed from part group by 1 offset 0) x
       cross join lateral (select * from products p where p.developer_id = $1 and p.id = x.product_id offset 0) p
     where p.deleted_at is null and not p.is_draft
     order by x.available / nullif(x.redeemed, 0) nulls last, p.name, p.id limit $6`,
    [developerId, days.from, days.to, now, product, limit],
  );
}

/** Redemptions of some days by product, from the daily sums. */
export async function redemptionsByDay(
  sql: Sql,
  developerId: string,
  { from, to }: DayPeriod,
  ids: string[] | undefined,
): Promise<{ product_id: string; day: string; n: number }[]> {
  return sql.query(
    `select d.product_id, d.day::text as day, sum(d.redemptions)::int as n from ledger_days d
     where d.developer_id = $1 and d.day >= $2 and d.day <= $3 and ($4::uuid[] is null or d.product_id = any($4))
     group by 1, 2 having sum(d.redemptions) > 0 order by 1, 2`,
    [developerId, from, to, ids ?? null],
  );
}
