import { DAY } from '../../../platform/clock.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { listOf } from '../../../platform/db/list-index.ts';
import { uuidV7 } from '../../../platform/db/uuid-v7.ts';
import { accountName } from '../../accounts/index.ts';
import { boundsOf } from '../calendar.ts';
import { ADJUSTMENT_LINE, adjustedIn, SALE_LINE, soldIn } from '../payout-rows.ts';
import { FIRST_REMINDER } from '../payout-rules.ts';
import { digestSql, rowsDigestSql } from '../seal/seal-sql.ts';

// the email of a deleted account is a placeholder
const party = (user: string, name: string) =>
  `jsonb_build_object('name', coalesce(nullif(${name}, ''), 'Closed account'),
    'email', coalesce(case when ${user}.deleted_at is null then ${user}.email end, ''), 'address', ${user}.business_address, 'tax_id', ${user}.tax_id)`;

/** $1 developer, $2 and $3 the month's bounds, $4 its first day, $5 now, $6 the first reminder. */
const CLOSE = `
  with sold as (
    select r.partnership_id, r.product_id, r.commission_bps as bps, count(*) as n,
      sum(r.final_price_cents)::bigint as revenue, sum(r.commission_cents)::bigint as commission
    from redemptions r where r.developer_id = $1 and ${soldIn('r', '$2', '$3')} group by 1, 2, 3
  ), sales as (
    select partnership_id, sum(n)::int as n, sum(revenue)::bigint as revenue, sum(commission)::bigint as commission from sold group by 1
  ), rates as (
    select partnership_id, jsonb_agg(jsonb_build_object('bps', bps, 'redemptions', n, 'revenue_cents', revenue, 'commission_cents', commission)
      order by bps) as rates
    from (select partnership_id, bps, sum(n)::int as n, sum(revenue)::bigint as revenue, sum(commission)::bigint as commission
      from sold group by 1, 2) by_rate group by 1
  ), adjusted as (
    select a.partnership_id, count(*)::int as n, sum(a.revenue_cents)::bigint as revenue, sum(a.commission_cents)::bigint as commission
    from ledger_adjustments a where a.developer_id = $1 and ${adjustedIn('a', '$2', '$3')} group by 1
  ), named as (
    select x.partnership_id, jsonb_object_agg(p.id, p.name) as products
    from (select partnership_id, product_id from sold
      union select a.partnership_id, a.product_id from ledger_adjustments a
        where a.developer_id = $1 and ${adjustedIn('a', '$2', '$3')}) x
    join products p on p.developer_id = $1 and p.id = x.product_id group by 1
  ), lines as (
    select partnership_id, ${rowsDigestSql('line', 'id')} as rows_digest from (
      select r.partnership_id, r.id, ${SALE_LINE} as line
      from redemptions r where r.developer_id = $1 and ${soldIn('r', '$2', '$3')}
      union all select a.partnership_id, a.id, ${ADJUSTMENT_LINE}
      from ledger_adjustments a where a.developer_id = $1 and ${adjustedIn('a', '$2', '$3')}) every_line group by 1
  ), credits as (
    select p.id, p.partnership_id, p.paid_cents - p.due_cents - p.carried_cents as cents
    from payouts p where p.developer_id = $1 and ${listOf('p', 'closed_at')} and p.paid_cents - p.due_cents - p.carried_cents > 0 for update
  ), carried as (
    update payouts p set carried_cents = p.carried_cents + c.cents from credits c where p.developer_id = $1 and p.id = c.id
  ), brought as (
    select partnership_id, -sum(cents)::bigint as cents from credits group by 1
  ), statements as (
    select k.partnership_id, row_number() over (order by k.partnership_id) as n, count(*) over () as total
    from (select partnership_id from sales union select partnership_id from adjusted union select partnership_id from brought) k
  ), counter as (
    insert into payout_numbers as c (developer_id, year, last) select $1, extract(year from $4::date)::int, total::int from statements limit 1
    on conflict (developer_id, year) do update set last = c.last + excluded.last returning last
  ), figures as (
    select $1::uuid as developer_id, k.partnership_id, $4::date as month,
      to_char($4::date, 'YYYY') || '-' || lpad((counter.last - k.total + k.n)::text, greatest(4, length((counter.last - k.total + k.n)::text)), '0') as number,
      coalesce(last.position, 0) + 1 as position, last.digest as previous_digest,
      coalesce(sales.n, 0) as total_redemptions, coalesce(sales.revenue, 0) as total_revenue_cents, coalesce(sales.commission, 0) as reseller_earned_cents,
      coalesce(adjusted.n, 0) as adjustments, coalesce(adjusted.revenue, 0) as adjustment_revenue_cents,
      coalesce(adjusted.commission, 0) as adjustment_commission_cents, coalesce(brought.cents, 0) as brought_forward_cents,
      coalesce(sales.revenue, 0) - coalesce(sales.commission, 0) + coalesce(adjusted.revenue, 0) - coalesce(adjusted.commission, 0)
        + coalesce(brought.cents, 0) as due_cents,
      coalesce(rates.rates, '[]') as rates, coalesce(named.products, '{}') as products,
      jsonb_build_object('developer', ${party('d', accountName('d'))}, 'reseller', ${party('u', `coalesce(nullif(${accountName('u')}, ''), p.name)`)},
        'commission_bps', p.commission_bps) as parties,
      coalesce(lines.rows_digest, encode(sha256(''), 'hex')) as rows_digest
    from statements k cross join counter
      join partnerships p on p.developer_id = $1 and p.id = k.partnership_id
      join users d on d.id = $1 left join users u on u.id = p.reseller_id and u.deleted_at is null
      left join sales on sales.partnership_id = k.partnership_id left join rates on rates.partnership_id = k.partnership_id
      left join adjusted on adjusted.partnership_id = k.partnership_id left join named on named.partnership_id = k.partnership_id
      left join lines on lines.partnership_id = k.partnership_id left join brought on brought.partnership_id = k.partnership_id
      left join lateral (
        select o.position, o.digest from payouts o where o.developer_id = $1 and o.partnership_id = k.partnership_id
        order by o.position desc limit 1) last on true
  )
  insert into payouts (id, developer_id, partnership_id, month, number, position, total_redemptions, total_revenue_cents, avg_price_cents,
    reseller_earned_cents, developer_owed_cents, adjustments, adjustment_revenue_cents, adjustment_commission_cents, brought_forward_cents,
    due_cents, rates, products, parties, rows_digest, digest, previous_digest, closed_at, status, paid_at, remind_at)
  select ${uuidV7('$5')}, f.developer_id, f.partnership_id, f.month, f.number, f.position, f.total_redemptions, f.total_revenue_cents,
    case when f.total_redemptions = 0 then 0 else floor(f.total_revenue_cents::numeric / f.total_redemptions + 0.5) end,
    f.reseller_earned_cents, f.total_revenue_cents - f.reseller_earned_cents, f.adjustments, f.adjustment_revenue_cents,
    f.adjustment_commission_cents, f.brought_forward_cents, f.due_cents, f.rates, f.products, f.parties, f.rows_digest, ${digestSql('f')},
    f.previous_digest, $5, case when f.due_cents > 0 then 'pending' when f.due_cents = 0 then 'paid' else 'settled' end,
    case when f.due_cents = 0 then $5::timestamptz end, case when f.due_cents > 0 then $6::timestamptz end
  from figures f returning due_cents`;

export interface Closed {
  statements: number;
  /** Whether something has to be brought forward to the next month. */
  credit: boolean;
}

/**
 * Makes the statements of a developer's month, in the transaction that has just closed it.
 * @param month its first day.
 */
export async function closeStatements(sql: Sql, developerId: string, month: string, now: Date): Promise<Closed> {
  const rows = await sql.query<{ due_cents: number }>(CLOSE, [
    developerId,
    ...boundsOf(month),
    month,
    now,
    new Date(now.getTime() + FIRST_REMINDER * DAY),
  ]);
  return { statements: rows.length, credit: rows.some(({ due_cents }) => due_cents < 0) };
}
