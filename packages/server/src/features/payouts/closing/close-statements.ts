import { type RawBuilder, sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { uuidV7Of } from '#platform/db/statements/uuid-v7.ts';
import { boundsOf } from '#platform/time/months.ts';
import { adjustedIn, soldIn } from '../payout-rows.ts';
import { FIRST_REMINDER } from '../payout-rules.ts';
import { tables } from '../tables.ts';

/** An account as a party. The email of a deleted account is a placeholder. */
function party(account: string, name: RawBuilder<string>) {
  const of = (column: string) => sql.ref(`${account}.${column}`);
  return sql`jsonb_build_object('name', coalesce(nullif(${name}, ''), 'Closed account'),
    'email', coalesce(case when ${of('deleted_at')} is null then ${of('email')} end, ''), 'address', ${of('business_address')}, 'tax_id', ${of('tax_id')})`;
}

/** Columns of what a statement is added up from; each kind of entry has some of them. */
const ENTRY = {
  n: sql`int`,
  revenue: sql`bigint`,
  commission: sql`bigint`,
  bps: sql`int`,
  adjustments: sql`int`,
  adjustment_revenue: sql`bigint`,
  adjustment_commission: sql`bigint`,
  product_id: sql`uuid`,
  brought: sql`bigint`,
};
type EntryColumn = keyof typeof ENTRY;

function entry(values: Partial<Record<EntryColumn, RawBuilder<unknown>>>) {
  const columns = (Object.keys(ENTRY) as EntryColumn[]).map(
    (column) => sql`(${values[column] ?? sql`null`})::${ENTRY[column]} as ${sql.ref(column)}`,
  );
  return sql`select partnership_id, ${sql.join(columns)}`;
}

/** The result of closing a developer's month. */
export interface Closed {
  statements: number;
  /** Whether something has to be brought forward to the next month. */
  credit: boolean;
}

/**
 * Everything about a partnership is one list of entries that is grouped once. Joined to each other, the parts would be compared
 * row by row, because the planner can't know how few they are: the square of the developer's partnerships. Planned once per
 * connection: it costs as much as a hundred of the statements that it makes.
 */
const close = tables.named(
  'close',
  (
    _,
    developerId: string,
    from: string,
    to: string,
    month: string,
    series: string,
    now: Date,
    firstReminder: Date,
  ) => sql<Closed>`
  /* with every machine: a month can be closed when they are back */
  with sold as materialized (
    select r.partnership_id, r.product_id, r.commission_bps as bps, count(*) as n, sum(r.final_price_cents) as revenue,
      sum(r.commission_cents) as commission
    from redemptions r where r.developer_id = ${developerId} and ${inList('r.redeemed_at')} and ${soldIn('r', [from, to])} group by 1, 2, 3
  ), adjusted as materialized (
    select a.partnership_id, a.product_id, count(*) as n, sum(a.revenue_cents) as revenue, sum(a.commission_cents) as commission
    from ledger_adjustments a where a.developer_id = ${developerId} and ${inList('a.created_at')} and ${adjustedIn('a', [from, to])} group by 1, 2
  ), credits as materialized (select * from (
    select p.id, p.partnership_id, p.paid_cents - p.due_cents - p.carried_cents as cents
    from payouts p where p.developer_id = ${developerId} and ${inList('p.closed_at')} and p.paid_cents - p.due_cents - p.carried_cents > 0
    order by p.id for update) locked
  ), carried as (
    -- by their ids: as a join, they would be looked for among all payouts while the statistics know of few
    update payouts p set carried_cents = p.paid_cents - p.due_cents
    where p.developer_id = ${developerId} and p.id = any(array(select c.id from credits c))
  ), entries as (
    ${entry({ bps: sql`bps`, n: sql`sum(n)`, revenue: sql`sum(revenue)`, commission: sql`sum(commission)` })} from sold group by partnership_id, bps
    union all ${entry({ product_id: sql`product_id` })} from sold
    union all ${entry({ product_id: sql`product_id`, adjustments: sql`n`, adjustment_revenue: sql`revenue`, adjustment_commission: sql`commission` })} from adjusted
    -- what has become part of another partnership is settled there
    union all ${entry({ brought: sql`-cents` })} from (
      select coalesce(t.merged_into, t.id) as partnership_id, c.cents
      from credits c join partnerships t on t.developer_id = ${developerId} and t.id = c.partnership_id) settled
  ), sums as materialized (
    select e.partnership_id, coalesce(sum(n), 0)::int as total_redemptions, coalesce(sum(revenue), 0)::bigint as total_revenue_cents,
      coalesce(sum(commission), 0)::bigint as reseller_earned_cents, coalesce(sum(adjustments), 0)::int as adjustments,
      coalesce(sum(adjustment_revenue), 0)::bigint as adjustment_revenue_cents,
      coalesce(sum(adjustment_commission), 0)::bigint as adjustment_commission_cents, coalesce(sum(brought), 0)::bigint as brought_forward_cents,
      coalesce(jsonb_agg(jsonb_build_object('bps', bps, 'redemptions', n, 'revenue_cents', revenue, 'commission_cents', commission)
        order by bps) filter (where bps is not null), '[]') as rates,
      coalesce(jsonb_object_agg(p.id, p.name) filter (where p.id is not null), '{}') as products,
      row_number() over (order by e.partnership_id) as place, count(*) over () as total
    from entries e left join products p on p.developer_id = ${developerId} and p.id = e.product_id group by e.partnership_id
  ), counter as materialized (
    insert into payout_numbers as c (developer_id, year, last)
    select ${developerId}::uuid, extract(year from ${month}::date)::int, total::int from sums where place = 1
    on conflict (developer_id, year) do update set last = c.last + excluded.last returning last
  ), numbered as materialized (
    select c.last, ${party('d', nameOf('d'))} as party
    from counter c join users d on d.id = ${developerId}
  ), figures as (
    select s.*, o.last - s.total + s.place as n, coalesce(last.position, 0) + 1 as position,
      s.total_revenue_cents - s.reseller_earned_cents + s.adjustment_revenue_cents - s.adjustment_commission_cents + s.brought_forward_cents as due_cents,
      jsonb_build_object('developer', o.party, 'reseller', ${party('u', sql`coalesce(nullif(${nameOf('u')}, ''), p.name)`)},
        'commission_bps', p.commission_bps) as parties
    from sums s cross join numbered o
      join partnerships p on p.developer_id = ${developerId} and p.id = s.partnership_id
      left join users u on u.id = p.reseller_id and u.deleted_at is null
      left join lateral (
        select o.position from payouts o where o.developer_id = ${developerId} and o.partnership_id = s.partnership_id
        order by o.position desc limit 1) last on true
  ), made as (
    insert into payouts (id, developer_id, partnership_id, month, number, position, total_redemptions, total_revenue_cents, avg_price_cents,
      reseller_earned_cents, developer_owed_cents, adjustments, adjustment_revenue_cents, adjustment_commission_cents, brought_forward_cents,
      due_cents, rates, products, parties, closed_at, status, paid_at, remind_at)
    select ${uuidV7Of(sql`${now}::timestamptz`)}, ${developerId}::uuid, f.partnership_id, ${month}::date,
      to_char(${month}::date, 'YYYY') || '-' || ${series}::text || lpad(f.n::text, greatest(4, length(f.n::text)), '0'), f.position,
      f.total_redemptions, f.total_revenue_cents,
      case when f.total_redemptions = 0 then 0 else floor(f.total_revenue_cents::numeric / f.total_redemptions + 0.5) end,
      f.reseller_earned_cents, f.total_revenue_cents - f.reseller_earned_cents, f.adjustments, f.adjustment_revenue_cents,
      f.adjustment_commission_cents, f.brought_forward_cents, f.due_cents, f.rates, f.products, f.parties, ${now}::timestamptz,
      case when f.due_cents > 0 then 'pending' when f.due_cents = 0 then 'paid' else 'settled' end,
      case when f.due_cents = 0 then ${now}::timestamptz end, case when f.due_cents > 0 then ${firstReminder}::timestamptz end
    from figures f returning due_cents
  )
  select count(*)::int as statements, bool_or(due_cents < 0) as credit from made having count(*) > 0`,
);

/** A month of a developer. */
export interface DevelopersMonth {
  developerId: string;
  /** Its first day. */
  month: string;
  now: Date;
  /** The prefix of its statements' numbers within their year. */
  series: string;
}

/**
 * Makes the statements of a developer's month, in the transaction that has just closed it. They are sealed afterwards (`seal/`):
 * their figures, and the rows behind them, can't change any more.
 * @returns undefined when there are none.
 */
export async function closeStatements(
  handle: Sql,
  { developerId, month, now, series }: DevelopersMonth,
): Promise<Closed | undefined> {
  const [from, to] = boundsOf(month);
  const firstReminder = new Date(now.getTime() + FIRST_REMINDER * DAY);
  const [closed] = await close(handle, developerId, from, to, month, series, now, firstReminder);
  return closed;
}
