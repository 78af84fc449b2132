import { familyIds } from '#features/partnerships';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { toDollars } from '#platform/money.ts';
import { boundsOf } from '#platform/time/months.ts';
import { badgeOf, commissionRateOf, outstandingOf, type RateSums } from '../payout-rules.ts';
import type { Parties } from '../payouts.entity.ts';
import type { PayoutState, PayoutSummary } from '../payouts.schemas.ts';

/** Whose side of a statement is asked for. */
export type Side = 'developer' | 'reseller';

export interface Reader {
  side: Side;
  userId: string;
}

export interface PayoutRow {
  id: string;
  developer_id: string;
  partnership_id: string;
  month: string;
  number: string;
  position: number;
  total_redemptions: number;
  total_revenue_cents: number;
  avg_price_cents: number;
  reseller_earned_cents: number;
  developer_owed_cents: number;
  adjustments: number;
  adjustment_revenue_cents: number;
  adjustment_commission_cents: number;
  brought_forward_cents: number;
  due_cents: number;
  rates: RateSums[];
  products: Record<string, string>;
  parties: Parties;
  /** Null until it is sealed. */
  digest: string | null;
  previous_digest: string | null;
  closed_at: Date;
  status: PayoutState;
  confirmed_at: Date | null;
  disputed_at: Date | null;
  paid_cents: number;
  paid_at: Date | null;
  carried_cents: number;
  remind_at: Date | null;
  difference: string | null;
}

/** A reseller reads what its partnerships earned, whatever became of them. $1 is the reader. */
const SEEN: Record<Side, string> = {
  developer: `from payouts o where o.developer_id = $1 and ${listOf('o', 'closed_at')}`,
  reseller: `from partnerships p join payouts o on (o.developer_id, o.partnership_id) = (p.developer_id, p.id) where p.reseller_id = $1`,
};
const ACROSS: Record<Side, string> = {
  developer: '',
  reseller: '/* across tenants: a reseller has many developers */ ',
};

interface Filter {
  status: PayoutState | undefined;
  year: number | undefined;
  number?: string | undefined;
  /** A partnership: its statements and those of what has become part of it. */
  resellerId: string | undefined;
  developerId: string | undefined;
}

const FILTER = `and ($2::text is null or o.status = $2) and ($3::int is null or extract(year from o.month) = $3)
  and ($4::uuid[] is null or o.partnership_id = any($4)) and ($5::uuid is null or o.developer_id = $5)
  and ($6::text is null or o.number = $6)`;

/** The newest month first. `after`: month and id of the last row before. */
export async function listPayouts(
  sql: Sql,
  { side, userId }: Reader,
  filter: Filter,
  after: string[] | null,
  limit: number,
): Promise<{ rows: PayoutRow[]; total: number }> {
  const values = [
    userId,
    filter.status ?? null,
    filter.year ?? null,
    filter.resellerId ? await familyIds(sql, userId, filter.resellerId, side) : null,
    filter.developerId ?? null,
    filter.number ?? null,
  ];
  const rows = await sql.query<PayoutRow>(
    `${ACROSS[side]}select o.* ${SEEN[side]} ${FILTER} and ($7::date is null or (o.month, o.id) < ($7, $8::uuid))
     order by o.month desc, o.id desc limit $9`,
    [...values, after?.[0] ?? null, after?.[1] ?? null, limit],
  );
  const [counted] = await sql.query<{ n: number }>(
    `${ACROSS[side]}select count(*) as n ${SEEN[side]} ${FILTER}`,
    values,
  );
  return { rows, total: counted?.n ?? 0 };
}

/** A statement that anyone may recount. */
export type SealedPayout = PayoutRow & { digest: string };

export const isSealed = (row: PayoutRow): row is SealedPayout => row.digest !== null;

export async function findPayout(sql: Sql, { side, userId }: Reader, id: string): Promise<PayoutRow | undefined> {
  const [row] = await sql.query<PayoutRow>(
    side === 'developer'
      ? 'select o.* from payouts o where o.developer_id = $1 and o.id = $2'
      : `/* across tenants: a reseller has many developers */ select o.* from payouts o
         join partnerships p on (p.developer_id, p.id) = (o.developer_id, o.partnership_id) where p.reseller_id = $1 and o.id = $2`,
    [userId, id],
  );
  return row;
}

/** The same, held until the transaction ends. */
export async function lockPayout(sql: Sql, reader: Reader, id: string): Promise<PayoutRow | undefined> {
  const seen = await findPayout(sql, reader, id);
  if (!seen) return undefined;
  const [row] = await sql.query<PayoutRow>(
    'select * from payouts where developer_id = $1 and id = $2 for no key update',
    [seen.developer_id, id],
  );
  return row;
}

/**
 * Statements of an account that are not paid, on either side, for whoever asks before the account is deleted; and those that
 * the months which are not closed yet will make.
 */
export async function countUnpaid(sql: Sql, userId: string): Promise<{ statements: number; open: number }> {
  const unpaid = "o.status in ('pending', 'confirmed', 'disputed')";
  const [row] = await sql.query<{ statements: number; open: number }>(
    `/* across tenants: a reseller has many developers */ select
       (select count(*) from payouts o where o.developer_id = $1 and ${listOf('o', 'closed_at')} and ${unpaid})
       + (select count(*) ${SEEN.reseller} and ${unpaid}) as statements,
       (select count(*) from (
          select 1 from partnerships p join partner_months m on (m.developer_id, m.partnership_id) = (p.developer_id, p.id)
            join usage_months u on (u.developer_id, u.month) = (m.developer_id, m.month)
          where ((p.developer_id = $1 and ${listOf('p')}) or p.reseller_id = $1) and u.closed_at is null
          group by m.developer_id, m.partnership_id, m.month
          having sum(m.revenue_cents - m.commission_cents + m.adjustment_revenue_cents - m.adjustment_commission_cents) > 0) due) as open`,
    [userId],
  );
  return row ?? { statements: 0, open: 0 };
}

export function summaryOf(row: PayoutRow): PayoutSummary {
  const { parties, month } = row;
  const [start, end] = boundsOf(month);
  return {
    id: row.id,
    number: row.number,
    month: month.slice(0, 7),
    period_start: new Date(start),
    period_end: new Date(end),
    developer_id: row.developer_id,
    developer_name: parties.developer.name,
    reseller_id: row.partnership_id,
    reseller_name: parties.reseller.name,
    total_redemptions: row.total_redemptions,
    avg_price: toDollars(row.avg_price_cents),
    total_revenue: toDollars(row.total_revenue_cents),
    commission_rate: commissionRateOf(row.rates, parties.commission_bps),
    reseller_earned: toDollars(row.reseller_earned_cents),
    developer_owed: toDollars(row.developer_owed_cents),
    adjustments: row.adjustments,
    adjustment_revenue: toDollars(row.adjustment_revenue_cents),
    adjustment_commission: toDollars(row.adjustment_commission_cents),
    brought_forward: toDollars(row.brought_forward_cents),
    due: toDollars(row.due_cents),
    paid: toDollars(row.paid_cents),
    carried: toDollars(row.carried_cents),
    outstanding: toDollars(outstandingOf(row)),
    status: row.status,
    label: badgeOf(row.status),
    closed_at: row.closed_at,
    confirmed_at: row.confirmed_at,
    disputed_at: row.disputed_at,
    paid_at: row.paid_at,
    digest: row.digest,
    previous_digest: row.previous_digest,
    difference: row.difference,
  };
}
