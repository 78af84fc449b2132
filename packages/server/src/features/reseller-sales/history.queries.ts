import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants, ownJoin } from '#platform/db/tenant.ts';
import { partnersOf, type Seller } from './partners.ts';
import { tables } from './tables.ts';

export interface MonthRow
  extends Columns<'partner_months', 'month' | 'product_id'>,
    Columns<'partnerships', 'developer_id'> {
  developer: string;
  product: string;
  redemptions: number;
  refunds: number;
  revenue_cents: number;
  earned_cents: number;
  commission_cents: number;
}

const months = ({ developers }: Seller) => sql`
  months as (
    select m.month, t.developer_id, t.developer_name as developer, m.product_id, p.name as product,
      sum(m.redemptions + m.imports)::int as redemptions, sum(m.adjustments)::int as refunds,
      sum(m.revenue_cents)::bigint as revenue_cents, sum(m.commission_cents)::bigint as earned_cents,
      sum(m.commission_cents + m.adjustment_commission_cents)::bigint as commission_cents
    from linked t ${ownJoin('partner_months as m', 'm.partnership_id', 't.id')}
      ${ownJoin('products as p', 'p.id', 'm.product_id')}
    where ${ofTenants('m', developers)} and ${ofTenants('p', developers)}
    group by 1, 2, 3, 4, 5
  )`;

/** Months (UTC) by developer and product, newest first. */
export async function listMonths(
  handle: Sql,
  seller: Seller,
  after: string[] | null,
  limit: number,
): Promise<{ rows: MonthRow[]; total: number }> {
  const [month, developer, product, developerId, productId] = after ?? [];
  const further = after
    ? sql`where month < ${month}::date or (month = ${month}::date
        and (developer, product, developer_id, product_id) > (${developer}::text, ${product}::text, ${developerId}::uuid, ${productId}::uuid))`
    : sql``;
  // counted in a subquery of its own, which runs once: as a joined relation it would run for each row
  const { rows } = await sql<MonthRow & { total: number }>`${partnersOf(seller)}, ${months(seller)}
    select months.*, (select count(*)::int from months) as total from months ${further}
    order by month desc, developer, product, developer_id, product_id limit ${limit}`.execute(tables.in(handle));
  return { rows, total: rows[0]?.total ?? 0 };
}
