import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { ADJUSTMENT_LINE, ADJUSTMENT_LINE_1, SALE_LINE, SALE_LINE_1 } from '../payout-rows.ts';
import { digestSql, rowsDigestSql } from '../seal/seal-sql.ts';

export interface Difference {
  /** Null: a closed month has sales or adjustments, but no statement. */
  id: string | null;
  partnership_id: string;
  month: string;
  problems: string[];
}

const SALE = `r.developer_id = $1 and ${listOf('r', 'redeemed_at')} and r.source <> 'import' and r.partnership_id is not null`;
const MONTH = (column: string) => `date_trunc('month', ${column} at time zone 'UTC')::date`;

const problem = (is: string, words: string) => `case when ${is} then '${words}' end`;

/** The digest of the rows of a statement `o` that was sealed before rates were; only counted where the newer one differs. */
const ROWS_1 = `(
  select ${rowsDigestSql('line', 'id')} from (
    select r.id, ${SALE_LINE_1} as line from redemptions r
    where ${SALE} and r.partnership_id = o.partnership_id and ${MONTH('r.redeemed_at')} = o.month
      and r.redeemed_at >= o.month::timestamp at time zone 'UTC' and r.redeemed_at < (o.month + interval '1 month') at time zone 'UTC'
    union all select a.id, ${ADJUSTMENT_LINE_1}
    from ledger_adjustments a where a.developer_id = $1 and a.partnership_id = o.partnership_id and a.month = o.month) own)`;

/** Counts every closed month of a developer anew, from the ledger alone, and compares it with its statements. */
const AUDIT = `
  with rated as (
    select r.partnership_id, ${MONTH('r.redeemed_at')} as month, r.commission_bps as bps, count(*) as n, sum(r.final_price_cents) as revenue,
      sum(r.commission_cents) as commission
    from redemptions r where ${SALE} group by 1, 2, 3
  ), sold as (
    select partnership_id, month, sum(n)::int as n, sum(revenue)::bigint as revenue, sum(commission)::bigint as commission,
      jsonb_agg(jsonb_build_object('bps', bps, 'redemptions', n, 'revenue_cents', revenue, 'commission_cents', commission) order by bps) as rates
    from rated group by 1, 2
  ), adjusted as (
    select a.partnership_id, a.month, count(*)::int as n, sum(a.revenue_cents)::bigint as revenue, sum(a.commission_cents)::bigint as commission
    from ledger_adjustments a where a.developer_id = $1 and ${listOf('a')} and a.partnership_id is not null group by 1, 2
  ), hashed as (
    select partnership_id, month, ${rowsDigestSql('line', 'id')} as rows_digest from (
      select r.partnership_id, ${MONTH('r.redeemed_at')} as month, r.id, ${SALE_LINE} as line from redemptions r where ${SALE}
      union all select a.partnership_id, a.month, a.id, ${ADJUSTMENT_LINE}
      from ledger_adjustments a join redemptions r on (r.developer_id, r.id) = (a.developer_id, a.redemption_id)
      where a.developer_id = $1 and ${listOf('a')} and a.partnership_id is not null) every_line group by 1, 2
  ), closed as (
    select h.partnership_id, h.month, h.rows_digest from hashed h
    join usage_months u on u.developer_id = $1 and u.month = h.month and u.closed_at is not null
  ), received as (
    select p.payout_id, sum(p.amount_cents)::bigint as cents from payout_payments p where p.developer_id = $1 group by 1
  ), chained as (
    select o.*, lag(o.digest) over chain as digest_before, row_number() over chain as place,
      sum(o.carried_cents + o.brought_forward_cents) over (partition by coalesce(t.merged_into, t.id)) as drifted
    from payouts o join partnerships t on (t.developer_id, t.id) = (o.developer_id, o.partnership_id) where o.developer_id = $1 and ${listOf('o', 'closed_at')}
    window chain as (partition by o.partnership_id order by o.position)
  )
  select * from (
    select o.id, coalesce(o.partnership_id, c.partnership_id) as partnership_id, coalesce(o.month, c.month) as month, array_remove(array[
      ${problem('o.id is null', 'the statement is missing')},
      ${problem('coalesce(s.n, 0) <> o.total_redemptions', 'redemptions')},
      ${problem('coalesce(s.revenue, 0) <> o.total_revenue_cents', 'revenue')},
      ${problem('coalesce(s.commission, 0) <> o.reseller_earned_cents', 'commission')},
      ${problem("coalesce(s.rates, '[]') <> o.rates", 'rates')},
      ${problem('(coalesce(a.n, 0), coalesce(a.revenue, 0), coalesce(a.commission, 0)) <> (o.adjustments, o.adjustment_revenue_cents, o.adjustment_commission_cents)', 'adjustments')},
      ${problem('o.due_cents <> o.total_revenue_cents - o.reseller_earned_cents + o.adjustment_revenue_cents - o.adjustment_commission_cents + o.brought_forward_cents', 'amount due')},
      case when coalesce(c.rows_digest, encode(sha256(''), 'hex')) <> o.rows_digest then ${problem(`${ROWS_1} <> o.rows_digest`, 'rows')} end,
      case when ${digestSql('o')} <> o.digest then ${problem(`${digestSql('o', 'o', 1)} <> o.digest`, 'digest')} end,
      ${problem('(o.digest is not null and o.previous_digest is distinct from o.digest_before) or o.place <> o.position', 'statement before')},
      ${problem('coalesce(p.cents, 0) <> o.paid_cents', 'payments')},
      ${problem("o.drifted <> 0 or (o.status = 'paid' and o.due_cents - o.paid_cents + o.carried_cents > 0)", 'brought forward')}
    ], null) as problems
    from chained o full join closed c on c.partnership_id = o.partnership_id and c.month = o.month
      left join sold s on s.partnership_id = o.partnership_id and s.month = o.month
      left join adjusted a on a.partnership_id = o.partnership_id and a.month = o.month
      left join received p on p.payout_id = o.id
  ) compared where cardinality(problems) > 0 limit 1000`;

/** @returns what differs, at most 1,000 statements. */
export function differencesOf(sql: Sql, developerId: string): Promise<Difference[]> {
  return sql.query<Difference>(AUDIT, [developerId]);
}

/** Developers with closed months, in the order of their ids, also those whose statements are all gone. */
export async function developersAfter(sql: Sql, after: string | null, limit: number): Promise<string[]> {
  const rows = await sql.query<{ developer_id: string }>(
    `/* across tenants: the audit */ select distinct developer_id from usage_months
     where closed_at is not null and ($1::uuid is null or developer_id > $1) order by developer_id limit $2`,
    [after, limit],
  );
  return rows.map(({ developer_id }) => developer_id);
}
