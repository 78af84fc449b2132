import type { SharedServer } from './server.ts';

const SUMS = ['partner_totals', 'partner_months', 'partner_days'] as const;

const COLUMNS = `sum(redemptions)::int as redemptions, sum(imports)::int as imports, sum(revenue)::int as revenue,
  sum(commission)::int as commission, sum(adjustments)::int as adjustments, sum(adjusted)::int as adjusted,
  sum(adjusted_commission)::int as adjusted_commission`;

/** The ledger, row by row: redemptions and adjustments of partnerships, in the columns of the sums. */
const LEDGER = `
  select r.developer_id, r.partnership_id, r.product_id, r.redeemed_at as at,
    (source <> 'import')::int as redemptions, (source = 'import')::int as imports,
    case when source = 'import' then 0 else final_price_cents end as revenue,
    case when source = 'import' then 0 else commission_cents end as commission, 0 as adjustments, 0 as adjusted, 0 as adjusted_commission
  from redemptions r where r.developer_id = $1 and r.partnership_id is not null
  union all
  select developer_id, partnership_id, product_id, created_at, 0, 0, 0, 0, 1, revenue_cents, commission_cents
  from ledger_adjustments where developer_id = $1 and partnership_id is not null`;

/**
 * The sums of all partnerships, and those of the ledger when it is counted again. Unless they are equal, something is
 * wrong.
 */
export async function partnerRecount({ db }: SharedServer): Promise<{ sums: object[]; ledger: object[] }> {
  const periods = {
    partner_totals: "''",
    partner_months: "to_char(at at time zone 'UTC', 'YYYY-MM-01')",
    partner_days: "to_char(at at time zone coalesce(z.time_zone, 'UTC'), 'YYYY-MM-DD')",
  };
  const stored = { partner_totals: "''", partner_months: 'month::text', partner_days: 'day::text' };
  const sums: object[] = [];
  const ledger: object[] = [];
  const developers = await db.query<{ id: string }>('select distinct developer_id as id from partnerships order by 1');
  for (const [table, developer] of SUMS.flatMap((table) => developers.map(({ id }) => [table, id] as const))) {
    sums.push(
      ...(await db.query(
        `select '${table}' as sum, partnership_id, product_id, period, ${COLUMNS} from (
           select partnership_id, product_id, ${stored[table]} as period, redemptions, imports, revenue_cents as revenue,
             commission_cents as commission, adjustments, adjustment_revenue_cents as adjusted,
             adjustment_commission_cents as adjusted_commission from ${table} where developer_id = $1) s
         group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
        [developer],
      )),
    );
    ledger.push(
      ...(await db.query(
        `select '${table}' as sum, l.partnership_id, product_id, ${periods[table]} as period, ${COLUMNS} from (${LEDGER}) l
           left join partner_calendars z on z.developer_id = $1 and z.partnership_id = l.partnership_id
         group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
        [developer],
      )),
    );
  }
  return { sums, ledger };
}
