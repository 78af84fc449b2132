import type { Database } from '../../../platform/db/database.ts';
import { listOf } from '../../../platform/db/list-index.ts';
import { toDollars } from '../../../platform/money.ts';
import type { Balances } from '../payouts.schemas.ts';

interface Row {
  reseller_id: string;
  reseller_name: string;
  status: string;
  outstanding: number;
  credit: number;
  since: Date | null;
  oldest_id: string | null;
  oldest_number: string | null;
  unpaid: number;
  disputed: number;
  open_redemptions: number;
  open_owed: number;
  revenue: number;
  commission: number;
  refunded: number;
  total: number;
  total_outstanding: number;
  total_unpaid: number;
}

const OUTSTANDING = 'o.due_cents - o.paid_cents + o.carried_cents';

const BALANCES = `
  with statements as (
    select o.partnership_id, sum(${OUTSTANDING}) filter (where ${OUTSTANDING} > 0)::bigint as outstanding,
      -sum(${OUTSTANDING}) filter (where ${OUTSTANDING} < 0)::bigint as credit,
      min(o.closed_at) filter (where ${OUTSTANDING} > 0) as since,
      (array_agg(o.id order by o.position) filter (where ${OUTSTANDING} > 0))[1] as oldest_id,
      (array_agg(o.number order by o.position) filter (where ${OUTSTANDING} > 0))[1] as oldest_number,
      count(*) filter (where ${OUTSTANDING} > 0)::int as unpaid, count(*) filter (where o.status = 'disputed')::int as disputed
    from payouts o where o.developer_id = $1 and ${listOf('o', 'closed_at')} group by 1
  ), open_months as (
    select m.partnership_id, sum(m.redemptions)::int as redemptions,
      sum(m.revenue_cents - m.commission_cents + m.adjustment_revenue_cents - m.adjustment_commission_cents)::bigint as owed
    from usage_months u join partner_months m on (m.developer_id, m.month) = (u.developer_id, u.month)
    where u.developer_id = $1 and u.closed_at is null group by 1
  ), ever as (
    select t.partnership_id, sum(t.revenue_cents)::bigint as revenue, sum(t.commission_cents)::bigint as commission,
      -sum(t.adjustment_revenue_cents)::bigint as refunded
    from partner_totals t where t.developer_id = $1 group by 1
  )
  select p.id as reseller_id, p.name as reseller_name, p.status, coalesce(s.outstanding, 0) as outstanding, coalesce(s.credit, 0) as credit,
    s.since, s.oldest_id, s.oldest_number, coalesce(s.unpaid, 0) as unpaid, coalesce(s.disputed, 0) as disputed,
    coalesce(m.redemptions, 0) as open_redemptions, coalesce(m.owed, 0) as open_owed, coalesce(e.revenue, 0) as revenue,
    coalesce(e.commission, 0) as commission, coalesce(e.refunded, 0) as refunded, count(*) over ()::int as total,
    coalesce(sum(s.outstanding) over (), 0)::bigint as total_outstanding, coalesce(sum(s.unpaid) over (), 0)::int as total_unpaid
  from partnerships p left join statements s on s.partnership_id = p.id left join open_months m on m.partnership_id = p.id
    left join ever e on e.partnership_id = p.id
  where p.developer_id = $1 and ${listOf('p')} order by 4 desc, p.name_key, p.id limit 500`;

/** What each reseller owes a developer, and since when. */
export async function balancesOf(db: Database, developerId: string): Promise<Balances> {
  const rows = await db.query<Row>(BALANCES, [developerId]);
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100);
  return {
    rows: rows.map(({ commission, revenue, refunded, total, total_outstanding, total_unpaid, ...row }) => ({
      ...row,
      outstanding: toDollars(row.outstanding),
      credit: toDollars(row.credit),
      open_owed: toDollars(row.open_owed),
      revenue: toDollars(revenue),
      refunded: toDollars(refunded),
      refund_rate: percent(refunded, revenue),
      effective_rate: percent(commission, revenue),
    })),
    total: rows[0]?.total ?? 0,
    total_outstanding: toDollars(rows[0]?.total_outstanding ?? 0),
    total_unpaid: rows[0]?.total_unpaid ?? 0,
  };
}
