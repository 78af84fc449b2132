import type { Sql } from '../../platform/db/database.ts';

export interface Days {
  developerId: string;
  /** `YYYY-MM-DD`, both inclusive, in the account's time zone. */
  from: string;
  to: string;
}

export interface DayRow {
  day: string;
  product: string;
  reseller: string | null;
  redemptions: number;
  /** Less what was refunded on this day, whenever it was sold. */
  revenue_cents: number;
  /** Not negative, unless more was reinstated than refunded. */
  refunded_cents: number;
}

const SUMS = `ledger_days d join products p on (p.developer_id, p.id) = (d.developer_id, d.product_id) left join partnerships t on (t.developer_id, t.id) = (d.developer_id, d.partnership_id)
    left join partnerships h on (h.developer_id, h.id) = (t.developer_id, t.merged_into)
  where d.developer_id = $1 and d.day >= $2 and d.day <= $3`;

/** The ledger's daily sums, by product and reseller. */
export async function daysOf(sql: Sql, { developerId, from, to }: Days): Promise<DayRow[]> {
  return sql.query<DayRow>(
    `select d.day, p.name as product, coalesce(h.name, t.name) as reseller, sum(d.redemptions)::int as redemptions,
       sum(d.revenue_cents + d.adjustment_revenue_cents)::bigint as revenue_cents, -sum(d.adjustment_revenue_cents)::bigint as refunded_cents
     from ${SUMS} group by d.day, p.id, p.name, coalesce(h.id, t.id), 3 order by d.day, p.name, 3 nulls first`,
    [developerId, from, to],
  );
}

/** Redemptions by country, the most first; null is unknown. Without days: ever. */
export async function countriesOf(
  sql: Sql,
  developerId: string,
  days: { from: string; to: string } | null,
): Promise<{ country: string | null; count: number }[]> {
  return sql.query(
    `select nullif(country, '') as country, sum(redemptions)::int as count from ledger_countries
     where developer_id = $1 and ($2::date is null or day >= $2) and ($3::date is null or day <= $3)
     group by 1 order by 2 desc, 1 nulls last`,
    [developerId, days?.from ?? null, days?.to ?? null],
  );
}
