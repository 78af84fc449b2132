import { plusDays } from '../../../platform/days.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { toDollars } from '../../../platform/money.ts';
import type { ProductOverview } from './overview.schemas.ts';

const periods = {
  today: 'd.day = $3',
  yesterday: 'd.day = $3::date - 1',
  month: 'd.day > $3::date - 30 and d.day <= $3',
  month_before: 'd.day > $3::date - 60 and d.day <= $3::date - 30',
  ever: 'true',
};
type Name = keyof typeof periods;
type Row = Record<`${Name}_redemptions` | `${Name}_cents`, number>;

const SUMS = Object.entries(periods).map(
  ([name, days]) => `coalesce(sum(d.redemptions) filter (where ${days}), 0)::int as ${name}_redemptions,
    coalesce(sum(d.revenue_cents + d.adjustment_revenue_cents) filter (where ${days}), 0)::bigint as ${name}_cents`,
);

/** What a product sold, from the daily sums. */
export async function salesOf(
  sql: Sql,
  developerId: string,
  productId: string,
  today: string,
): Promise<ProductOverview['sales']> {
  const [row] = await sql.query<Row>(
    `select ${SUMS.join(', ')} from ledger_days d where d.developer_id = $1 and d.product_id = $2`,
    [developerId, productId, today],
  );
  const of = (name: Name) => ({
    redemptions: row?.[`${name}_redemptions`] ?? 0,
    revenue: toDollars(row?.[`${name}_cents`] ?? 0),
  });
  return {
    today: { ...of('today'), previous: of('yesterday') },
    last_30_days: { ...of('month'), previous: of('month_before') },
    all: of('ever'),
  };
}

/** The first of the last 30 days up to `today`. */
export const firstOfThirty = (today: string): string => plusDays(today, -29);
