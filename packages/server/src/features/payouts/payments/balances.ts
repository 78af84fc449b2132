import { sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { decodeCursor, isText, pageOf } from '#platform/http/answers/cursor.ts';
import { isId } from '#platform/ids.ts';
import { percentOf, toDollars } from '#platform/money.ts';
import type { Balances } from '../payouts.schemas.ts';
import type { PayoutsDb } from '../tables.ts';

interface Row extends Columns<'partnerships', 'name_key' | 'status'> {
  reseller_id: string;
  reseller_name: string;
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

/** The outstanding amount of statement `o`. */
const OUTSTANDING = sql`o.due_cents - o.paid_cents + o.carried_cents`;

async function readBalances(db: PayoutsDb, developerId: string, after: string[] | null, limit: number): Promise<Row[]> {
  const further = after
    ? sql`where (-b.outstanding, b.name_key, b.reseller_id) > (-${after[0]}::bigint, ${after[1]}::text, ${after[2]}::uuid)`
    : sql``;
  const { rows } = await sql<Row>`
  with statements as (
    select o.partnership_id, sum(${OUTSTANDING}) filter (where ${OUTSTANDING} > 0)::bigint as outstanding,
      -sum(${OUTSTANDING}) filter (where ${OUTSTANDING} < 0)::bigint as credit,
      min(o.closed_at) filter (where ${OUTSTANDING} > 0) as since,
      (array_agg(o.id order by o.position) filter (where ${OUTSTANDING} > 0))[1] as oldest_id,
      (array_agg(o.number order by o.position) filter (where ${OUTSTANDING} > 0))[1] as oldest_number,
      count(*) filter (where ${OUTSTANDING} > 0)::int as unpaid, count(*) filter (where o.status = 'disputed')::int as disputed
    from payouts o where o.developer_id = ${developerId} and ${inList('o.closed_at')} group by 1
  ), open_months as (
    select m.partnership_id, sum(m.redemptions)::int as redemptions,
      sum(m.revenue_cents - m.commission_cents + m.adjustment_revenue_cents - m.adjustment_commission_cents)::bigint as owed
    from usage_months u ${ownJoin('partner_months as m', 'm.month', 'u.month')}
    where u.developer_id = ${developerId} and u.closed_at is null group by 1
  ), ever as (
    select t.partnership_id, sum(t.revenue_cents)::bigint as revenue, sum(t.commission_cents)::bigint as commission,
      -sum(t.adjustment_revenue_cents)::bigint as refunded
    from partner_totals t where t.developer_id = ${developerId} group by 1
  ), sums as (
    select coalesce(t.merged_into, t.id) as id, coalesce(sum(s.outstanding), 0)::bigint as outstanding,
      coalesce(sum(s.credit), 0)::bigint as credit, min(s.since) as since,
      (array_agg(s.oldest_id order by s.since) filter (where s.oldest_id is not null))[1] as oldest_id,
      (array_agg(s.oldest_number order by s.since) filter (where s.oldest_id is not null))[1] as oldest_number,
      coalesce(sum(s.unpaid), 0)::int as unpaid, coalesce(sum(s.disputed), 0)::int as disputed,
      coalesce(sum(m.redemptions), 0)::int as open_redemptions, coalesce(sum(m.owed), 0)::bigint as open_owed,
      coalesce(sum(e.revenue), 0)::bigint as revenue, coalesce(sum(e.commission), 0)::bigint as commission,
      coalesce(sum(e.refunded), 0)::bigint as refunded
    from partnerships t left join statements s on s.partnership_id = t.id left join open_months m on m.partnership_id = t.id
      left join ever e on e.partnership_id = t.id
    where t.developer_id = ${developerId} and ${inList('t.created_at')} group by 1
  )
  select * from (
  select p.id as reseller_id, p.name as reseller_name, p.name_key, p.status, s.outstanding, s.credit, s.since, s.oldest_id, s.oldest_number,
    s.unpaid, s.disputed, s.open_redemptions, s.open_owed, s.revenue, s.commission, s.refunded, count(*) over ()::int as total,
    (sum(s.outstanding) over ())::bigint as total_outstanding, (sum(s.unpaid) over ())::int as total_unpaid
  from sums s join partnerships p on p.developer_id = ${developerId} and p.id = s.id) b
  ${further}
  order by b.outstanding desc, b.name_key, b.reseller_id limit ${limit}`.execute(db);
  return rows;
}

/** The amount that each reseller owes a developer, and since when. */
export async function balancesOf(
  db: PayoutsDb,
  developerId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Balances> {
  const after = decodeCursor(cursor, [(cents) => /^-?\d{1,15}$/.test(cents), isText, isId]);
  const found = await readBalances(db, developerId, after, limit + 1);
  const { rows, next_cursor } = pageOf(
    found.map((row) => ({ ...row, id: row.reseller_id })),
    limit,
    ({ outstanding, name_key, id }) => [String(outstanding), name_key, id],
  );
  return {
    next_cursor,
    rows: rows.map(
      ({ commission, revenue, refunded, total, total_outstanding, total_unpaid, name_key, id, ...row }) => ({
        ...row,
        outstanding: toDollars(row.outstanding),
        credit: toDollars(row.credit),
        open_owed: toDollars(row.open_owed),
        revenue: toDollars(revenue),
        refunded: toDollars(refunded),
        refund_rate: percentOf(refunded, revenue),
        effective_rate: percentOf(commission, revenue),
      }),
    ),
    total: rows[0]?.total ?? 0,
    total_outstanding: toDollars(rows[0]?.total_outstanding ?? 0),
    total_unpaid: rows[0]?.total_unpaid ?? 0,
  };
}
