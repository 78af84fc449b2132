import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { toDollars } from '#platform/money.ts';
import { plusDays } from '#platform/time/days.ts';
import { tables } from '../tables.ts';
import type { ProductOverview } from './overview.schemas.ts';

/** Days `d` up to today. */
const periods = (today: string) => ({
  today: sql`d.day = ${today}`,
  yesterday: sql`d.day = ${today}::date - 1`,
  month: sql`d.day > ${today}::date - 30 and d.day <= ${today}`,
  month_before: sql`d.day > ${today}::date - 60 and d.day <= ${today}::date - 30`,
  ever: sql`true`,
});
type Name = keyof ReturnType<typeof periods>;
type Row = Record<`${Name}_redemptions` | `${Name}_cents`, number>;

/** The sales of a product, from the daily sums. */
export async function salesOf(
  handle: Sql,
  developerId: string,
  productId: string,
  today: string,
): Promise<ProductOverview['sales']> {
  const sums = Object.entries(periods(today)).map(
    ([
      name,
      days,
    ]) => sql`coalesce(sum(d.redemptions) filter (where ${days}), 0)::int as ${sql.ref(`${name}_redemptions`)},
      coalesce(sum(d.revenue_cents + d.adjustment_revenue_cents) filter (where ${days}), 0)::bigint as ${sql.ref(`${name}_cents`)}`,
  );
  const {
    rows: [row],
  } = await sql<Row>`select ${sql.join(sums)} from ledger_days d
    where d.developer_id = ${developerId} and d.product_id = ${productId}`.execute(tables.in(handle));
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
