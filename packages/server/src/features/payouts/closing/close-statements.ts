import { accountName } from '#features/accounts';
import { DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import { NUMBER_SERIES } from '#platform/operations/restores.ts';
import { boundsOf } from '#platform/time/months.ts';
import { adjustedIn, soldIn } from '../payout-rows.ts';
import { FIRST_REMINDER } from '../payout-rules.ts';

// the email of a deleted account is a placeholder
const party = (user: string, name: string) =>
  `jsonb_build_object('name', coalesce(nullif(${name}, ''), 'Closed account'),
    'email', coalesce(case when ${user}.deleted_at is null then ${user}.email end, ''), 'address', ${user}.business_address, 'tax_id', ${user}.tax_id)`;

/** Columns of what a statement is added up from; each kind of entry has some of them. */
const ENTRY = {
  n: 'int',
  revenue: 'bigint',
  commission: 'bigint',
  bps: 'int',
  adjustments: 'int',
  adjustment_revenue: 'bigint',
  adjustment_commission: 'bigint',
  product_id: 'uuid',
  brought: 'bigint',
};

const entry = (values: Partial<Record<keyof typeof ENTRY, string>>) =>
  `select developer_id, partnership_id, ${Object.entries(ENTRY)
    .map(([column, type]) => `(${values[column as keyof typeof ENTRY] ?? 'null'})::${type} as ${column}`)
    .join(', ')}`;

/**
 * $1 developers, $2 and $3 the month's bounds, $4 its first day, $5 now, $6 the first reminder.
 *
 * Everything about a partnership is one list of entries that is grouped once. Joined to each other, the parts would be compared
 * row by row, because the planner can't know how few they are: the square of the developers' partnerships.
 */
const CLOSE = `
  with sold as materialized (
    select r.developer_id, r.partnership_id, r.product_id, r.commission_bps as bps, count(*) as n, sum(r.final_price_cents) as revenue,
      sum(r.commission_cents) as commission
    from redemptions r where r.developer_id = any($1::uuid[]) and ${soldIn('r', '$2', '$3')} group by 1, 2, 3, 4
  ), adjusted as materialized (
    select a.developer_id, a.partnership_id, a.product_id, count(*) as n, sum(a.revenue_cents) as revenue, sum(a.commission_cents) as commission
    from ledger_adjustments a where a.developer_id = any($1::uuid[]) and ${adjustedIn('a', '$2', '$3')} group by 1, 2, 3
  ), credits as materialized (
    select p.developer_id, p.id, p.partnership_id, p.paid_cents - p.due_cents - p.carried_cents as cents
    from payouts p where p.developer_id = any($1::uuid[]) and ${listOf('p', 'closed_at')} and p.paid_cents - p.due_cents - p.carried_cents > 0
    order by p.developer_id, p.id for update
  ), carried as (
    -- by their ids: as a join, they would be looked for among all payouts while the statistics know of few
    update payouts p set carried_cents = p.paid_cents - p.due_cents
    where p.developer_id = any($1::uuid[]) and p.id = any(array(select c.id from credits c))
  ), entries as (
    ${entry({ bps: 'bps', n: 'sum(n)', revenue: 'sum(revenue)', commission: 'sum(commission)' })} from sold group by developer_id, partnership_id, bps
    union all ${entry({ product_id: 'product_id' })} from sold
    union all ${entry({ product_id: 'product_id', adjustments: 'n', adjustment_revenue: 'revenue', adjustment_commission: 'commission' })} from adjusted
    -- what has become part of another partnership is settled there
    union all ${entry({ brought: '-cents' })} from (
      select c.developer_id, coalesce(t.merged_into, t.id) as partnership_id, c.cents
      from credits c join partnerships t on (t.developer_id, t.id) = (c.developer_id, c.partnership_id)) settled
  ), sums as materialized (
    select e.developer_id, e.partnership_id, coalesce(sum(n), 0)::int as total_redemptions, coalesce(sum(revenue), 0)::bigint as total_revenue_cents,
      coalesce(sum(commission), 0)::bigint as reseller_earned_cents, coalesce(sum(adjustments), 0)::int as adjustments,
      coalesce(sum(adjustment_revenue), 0)::bigint as adjustment_revenue_cents,
      coalesce(sum(adjustment_commission), 0)::bigint as adjustment_commission_cents, coalesce(sum(brought), 0)::bigint as brought_forward_cents,
      coalesce(jsonb_agg(jsonb_build_object('bps', bps, 'redemptions', n, 'revenue_cents', revenue, 'commission_cents', commission)
        order by bps) filter (where bps is not null), '[]') as rates,
      coalesce(jsonb_object_agg(p.id, p.name) filter (where p.id is not null), '{}') as products,
      row_number() over (partition by e.developer_id order by e.partnership_id) as place, count(*) over (partition by e.developer_id) as total
    from entries e left join products p on (p.developer_id, p.id) = (e.developer_id, e.product_id) group by e.developer_id, e.partnership_id
  ), counter as materialized (
    insert into payout_numbers as c (developer_id, year, last)
    select developer_id, extract(year from $4::date)::int, total::int from sums where place = 1 order by developer_id
    on conflict (developer_id, year) do update set last = c.last + excluded.last returning developer_id, last
  ), numbered as materialized (
    select c.developer_id, c.last, ${party('d', accountName('d'))} as party from counter c join users d on d.id = c.developer_id
  ), figures as (
    select s.*, $4::date as month,
      to_char($4::date, 'YYYY') || '-' || ${NUMBER_SERIES} || lpad((o.last - s.total + s.place)::text, greatest(4, length((o.last - s.total + s.place)::text)), '0') as number,
      coalesce(last.position, 0) + 1 as position,
      s.total_revenue_cents - s.reseller_earned_cents + s.adjustment_revenue_cents - s.adjustment_commission_cents + s.brought_forward_cents as due_cents,
      jsonb_build_object('developer', o.party, 'reseller', ${party('u', `coalesce(nullif(${accountName('u')}, ''), p.name)`)},
        'commission_bps', p.commission_bps) as parties
    from sums s join numbered o on o.developer_id = s.developer_id
      join partnerships p on (p.developer_id, p.id) = (s.developer_id, s.partnership_id)
      left join users u on u.id = p.reseller_id and u.deleted_at is null
      left join lateral (
        select o.position from payouts o where o.developer_id = s.developer_id and o.partnership_id = s.partnership_id
        order by o.position desc limit 1) last on true
  ), made as (
    insert into payouts (id, developer_id, partnership_id, month, number, position, total_redemptions, total_revenue_cents, avg_price_cents,
    reseller_earned_cents, developer_owed_cents, adjustments, adjustment_revenue_cents, adjustment_commission_cents, brought_forward_cents,
    due_cents, rates, products, parties, closed_at, status, paid_at, remind_at)
  select ${uuidV7('$5')}, f.developer_id, f.partnership_id, f.month, f.number, f.position, f.total_redemptions, f.total_revenue_cents,
    case when f.total_redemptions = 0 then 0 else floor(f.total_revenue_cents::numeric / f.total_redemptions + 0.5) end,
    f.reseller_earned_cents, f.total_revenue_cents - f.reseller_earned_cents, f.adjustments, f.adjustment_revenue_cents,
    f.adjustment_commission_cents, f.brought_forward_cents, f.due_cents, f.rates, f.products, f.parties, $5, case when f.due_cents > 0 then 'pending' when f.due_cents = 0 then 'paid' else 'settled' end,
    case when f.due_cents = 0 then $5::timestamptz end, case when f.due_cents > 0 then $6::timestamptz end
  from figures f returning developer_id, due_cents
  )
  select developer_id, count(*)::int as statements, bool_or(due_cents < 0) as credit from made group by 1`;

/** Of a developer's month. */
export interface Closed {
  statements: number;
  /** Whether something has to be brought forward to the next month. */
  credit: boolean;
}

/**
 * Makes the statements of several developers' months, in the transaction that has just closed them. They are sealed afterwards
 * (`seal/`): their figures, and the rows behind them, can't change any more.
 * @param month its first day.
 * @returns by developer; nothing of those without statements.
 */
export async function closeStatements(
  sql: Sql,
  developerIds: readonly string[],
  month: string,
  now: Date,
): Promise<Map<string, Closed>> {
  const rows = await sql.query<Closed & { developer_id: string }>(CLOSE, [
    developerIds,
    ...boundsOf(month),
    month,
    now,
    new Date(now.getTime() + FIRST_REMINDER * DAY),
  ]);
  return new Map(rows.map(({ developer_id, ...closed }) => [developer_id, closed]));
}
