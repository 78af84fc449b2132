import type { Sql } from '#platform/db/database.ts';
import { PARTNERS } from './partners.ts';

export interface MonthRow {
  month: string;
  developer_id: string;
  developer: string;
  product_id: string;
  product: string;
  redemptions: number;
  refunds: number;
  revenue_cents: number;
  earned_cents: number;
  commission_cents: number;
}

const MONTHS = `
  months as (
    select m.month, t.developer_id, t.developer_name as developer, m.product_id, p.name as product,
      sum(m.redemptions + m.imports)::int as redemptions, sum(m.adjustments)::int as refunds,
      sum(m.revenue_cents)::bigint as revenue_cents, sum(m.commission_cents)::bigint as earned_cents,
      sum(m.commission_cents + m.adjustment_commission_cents)::bigint as commission_cents
    from linked t join partner_months m on (m.developer_id, m.partnership_id) = (t.developer_id, t.id)
      join products p on (p.developer_id, p.id) = (m.developer_id, m.product_id)
    group by 1, 2, 3, 4, 5
  )`;

/** Months (UTC) by developer and product, newest first. */
export async function listMonths(
  sql: Sql,
  resellerId: string,
  after: string[] | null,
  limit: number,
): Promise<{ rows: MonthRow[]; total: number }> {
  const rows = await sql.query<MonthRow & { total: number }>(
    // counted in a subquery of its own, which runs once: as a joined relation it would run for each row
    `${PARTNERS}, ${MONTHS}
     select months.*, (select count(*)::int from months) as total from months
     where $2::date is null or month < $2 or (month = $2 and (developer, product, developer_id, product_id) > ($3, $4, $5::uuid, $6::uuid))
     order by month desc, developer, product, developer_id, product_id limit ${limit}`,
    [resellerId, ...(after ?? [null, null, null, null, null])],
  );
  return { rows, total: rows[0]?.total ?? 0 };
}
