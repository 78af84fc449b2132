import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { acrossTenants, ownJoin } from '#platform/db/tenant.ts';
import { ADJUSTMENT_LINE, ADJUSTMENT_LINE_1, SALE_LINE, SALE_LINE_1 } from '../payout-rows.ts';
import { digestSql, rowsDigestSql } from '../seal/seal-sql.ts';
import { tables } from '../tables.ts';

export interface Difference {
  /** Null: a closed month has sales or adjustments, but no statement. */
  id: string | null;
  partnership_id: string;
  month: string;
  problems: string[];
}

const monthOf = (moment: RawBuilder<unknown>) => sql`date_trunc('month', ${moment} at time zone 'UTC')::date`;
const SOLD_IN = monthOf(sql`r.redeemed_at`);

const problem = (is: RawBuilder<unknown>, words: string) => sql`case when ${is} then ${sql.lit(words)} end`;

/** Counts every closed month of a developer anew, from the ledger alone, and compares it with its statements. @returns what differs, at most 1,000 statements. */
export async function differencesOf(handle: Sql, developerId: string): Promise<Difference[]> {
  const sale = sql`r.developer_id = ${developerId} and ${inList('r.redeemed_at')} and r.source <> 'import' and r.partnership_id is not null`;
  const adjustment = sql`a.developer_id = ${developerId} and ${inList('a.created_at')} and a.partnership_id is not null`;
  // the digest of the rows of a statement `o` that was sealed before rates were; only counted where the newer one differs
  const rows1 = sql`(
    select ${rowsDigestSql(sql`line`, sql`id`)} from (
      select r.id, ${SALE_LINE_1} as line from redemptions r
      where ${sale} and r.partnership_id = o.partnership_id and ${SOLD_IN} = o.month
        and r.redeemed_at >= o.month::timestamp at time zone 'UTC' and r.redeemed_at < (o.month + interval '1 month') at time zone 'UTC'
      union all select a.id, ${ADJUSTMENT_LINE_1}
      from ledger_adjustments a where a.developer_id = ${developerId} and a.partnership_id = o.partnership_id and a.month = o.month) own)`;
  const { rows } = await sql<Difference>`
    with rated as (
      select r.partnership_id, ${SOLD_IN} as month, r.commission_bps as bps, count(*) as n, sum(r.final_price_cents) as revenue,
        sum(r.commission_cents) as commission
      from redemptions r where ${sale} group by 1, 2, 3
    ), sold as (
      select partnership_id, month, sum(n)::int as n, sum(revenue)::bigint as revenue, sum(commission)::bigint as commission,
        jsonb_agg(jsonb_build_object('bps', bps, 'redemptions', n, 'revenue_cents', revenue, 'commission_cents', commission) order by bps) as rates
      from rated group by 1, 2
    ), adjusted as (
      select a.partnership_id, a.month, count(*)::int as n, sum(a.revenue_cents)::bigint as revenue, sum(a.commission_cents)::bigint as commission
      from ledger_adjustments a where ${adjustment} group by 1, 2
    ), hashed as (
      select partnership_id, month, ${rowsDigestSql(sql`line`, sql`id`)} as rows_digest from (
        select r.partnership_id, ${SOLD_IN} as month, r.id, ${SALE_LINE} as line from redemptions r where ${sale}
        union all select a.partnership_id, a.month, a.id, ${ADJUSTMENT_LINE}
        from ledger_adjustments a ${ownJoin('redemptions as r', 'r.id', 'a.redemption_id')}
        where ${adjustment}) every_line group by 1, 2
    ), closed as (
      select h.partnership_id, h.month, h.rows_digest from hashed h
      join usage_months u on u.developer_id = ${developerId} and u.month = h.month and u.closed_at is not null
    ), received as (
      select p.payout_id, sum(p.amount_cents)::bigint as cents from payout_payments p where p.developer_id = ${developerId} group by 1
    ), chained as (
      select o.*, lag(o.digest) over chain as digest_before, row_number() over chain as place,
        sum(o.carried_cents + o.brought_forward_cents) over (partition by coalesce(t.merged_into, t.id)) as drifted
      from payouts o ${ownJoin('partnerships as t', 't.id', 'o.partnership_id')}
      where o.developer_id = ${developerId} and ${inList('o.closed_at')}
      window chain as (partition by o.partnership_id order by o.position)
    )
    select * from (
      select o.id, coalesce(o.partnership_id, c.partnership_id) as partnership_id, coalesce(o.month, c.month) as month, array_remove(array[
        ${problem(sql`o.id is null`, 'the statement is missing')},
        ${problem(sql`coalesce(s.n, 0) <> o.total_redemptions`, 'redemptions')},
        ${problem(sql`coalesce(s.revenue, 0) <> o.total_revenue_cents`, 'revenue')},
        ${problem(sql`coalesce(s.commission, 0) <> o.reseller_earned_cents`, 'commission')},
        ${problem(sql`coalesce(s.rates, '[]') <> o.rates`, 'rates')},
        ${problem(
          sql`(coalesce(a.n, 0), coalesce(a.revenue, 0), coalesce(a.commission, 0))
            <> (o.adjustments, o.adjustment_revenue_cents, o.adjustment_commission_cents)`,
          'adjustments',
        )},
        ${problem(
          sql`o.due_cents <> o.total_revenue_cents - o.reseller_earned_cents + o.adjustment_revenue_cents
            - o.adjustment_commission_cents + o.brought_forward_cents`,
          'amount due',
        )},
        case when coalesce(c.rows_digest, encode(sha256(''), 'hex')) <> o.rows_digest then ${problem(sql`${rows1} <> o.rows_digest`, 'rows')} end,
        case when ${digestSql('o')} <> o.digest then ${problem(sql`${digestSql('o', 'o', 1)} <> o.digest`, 'digest')} end,
        ${problem(
          sql`(o.digest is not null and o.previous_digest is distinct from o.digest_before) or o.place <> o.position`,
          'statement before',
        )},
        ${problem(sql`coalesce(p.cents, 0) <> o.paid_cents`, 'payments')},
        ${problem(
          sql`o.drifted <> 0 or (o.status = 'paid' and o.due_cents - o.paid_cents + o.carried_cents > 0)`,
          'brought forward',
        )}
      ], null) as problems
      from chained o full join closed c on c.partnership_id = o.partnership_id and c.month = o.month
        left join sold s on s.partnership_id = o.partnership_id and s.month = o.month
        left join adjusted a on a.partnership_id = o.partnership_id and a.month = o.month
        left join received p on p.payout_id = o.id
    ) compared where cardinality(problems) > 0 limit 1000`.execute(tables.in(handle));
  return rows;
}

/** Notes on statements what was found, in words, and takes from the others what was noted before. */
export async function noteDifferences(
  handle: Sql,
  developerId: string,
  found: readonly { id: string; words: string }[],
): Promise<void> {
  await sql`
    update payouts o set difference = f.words
    from (
      select p.id, k.words from payouts p
        left join unnest(${found.map(({ id }) => id)}::uuid[], ${found.map(({ words }) => words)}::text[]) as k (id, words) on k.id = p.id
      where p.developer_id = ${developerId} and (k.id is not null or p.difference is not null)) f
    where o.developer_id = ${developerId} and o.id = f.id and o.difference is distinct from f.words`.execute(
    tables.in(handle),
  );
}

/** Statements that differed when they were last counted. */
export async function countDifferences(handle: Sql): Promise<number> {
  const { n } = await tables
    .in(handle)
    .selectFrom('payouts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('difference', 'is not', null)
    .modifyEnd(acrossTenants('the audit'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Developers with closed months, in the order of their ids, also those whose statements are all gone. */
export async function developersAfter(handle: Sql, after: string | null, limit: number): Promise<string[]> {
  const rows = await tables
    .in(handle)
    .selectFrom('usage_months')
    .select('developer_id')
    .distinct()
    .where('closed_at', 'is not', null)
    .$if(after !== null, (all) => all.where('developer_id', '>', after as string))
    .orderBy('developer_id')
    .limit(limit)
    .modifyEnd(acrossTenants('the audit'))
    .execute();
  return rows.map(({ developer_id }) => developer_id);
}
