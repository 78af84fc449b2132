import { type InferResult, sql } from 'kysely';
import { developersOf, familyIds } from '#features/partnerships';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { joinOwn, ofTenants, ownJoin } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import { boundsOf, shortMonth } from '#platform/time/months.ts';
import { badgeOf, commissionRateOf, outstandingOf } from '../payout-rules.ts';
import type { PayoutState, PayoutSummary } from '../payouts.schemas.ts';
import { tables } from '../tables.ts';

/** Whose side of a statement is asked for. */
export type Side = 'developer' | 'reseller';

export interface Reader {
  side: Side;
  accountId: string;
}

const selectPayouts = (handle: Sql) => tables.in(handle).selectFrom('payouts as o').selectAll('o');

/** Its digest is null until it is sealed. */
export type PayoutRow = InferResult<ReturnType<typeof selectPayouts>>[number];

/** Statements `o` of one side. A reseller reads what its partnerships earned, whatever became of them. */
const seenBy = ({ side, accountId }: Reader, developers: readonly string[]) =>
  side === 'developer'
    ? sql`from payouts o where o.developer_id = ${accountId} and ${inList('o.closed_at')}`
    : sql`from partnerships p ${ownJoin('payouts as o', 'o.partnership_id', 'p.id')}
        where p.reseller_id = ${accountId} and ${ofTenants('p', developers)} and ${ofTenants('o', developers)}`;

/** Whose statements a side reads. */
const developersBy = async (handle: Sql, { side, accountId }: Reader): Promise<readonly string[]> =>
  side === 'developer' ? [accountId] : developersOf(handle, accountId);

interface Filter {
  status: PayoutState | undefined;
  year: number | undefined;
  number?: string | undefined;
  /** A partnership: its statements and those of what has become part of it. */
  resellerId: string | undefined;
  developerId: string | undefined;
}

/** The newest month first. `after`: month and id of the last row before. */
export async function listPayouts(
  handle: Sql,
  reader: Reader,
  filter: Filter,
  after: string[] | null,
  limit: number,
  count: boolean,
): Promise<{ rows: PayoutRow[]; total: number | null }> {
  const { status, year, number, resellerId, developerId } = filter;
  const family = resellerId && (await familyIds(handle, reader.accountId, resellerId, reader.side));
  const fitting = sql.join(
    [
      seenBy(reader, await developersBy(handle, reader)),
      ...(status ? [sql`o.status = ${status}`] : []),
      ...(year === undefined ? [] : [sql`extract(year from o.month) = ${year}::int`]),
      ...(family ? [sql`o.partnership_id = any(${family}::uuid[])`] : []),
      ...(developerId ? [sql`o.developer_id = ${developerId}`] : []),
      ...(number === undefined ? [] : [sql`o.number = ${number}`]),
    ],
    sql` and `,
  );
  const further = after ? sql`and (o.month, o.id) < (${after[0]}::date, ${after[1]}::uuid)` : sql``;
  const db = tables.in(handle);
  const { rows } = await sql<PayoutRow>`
    select o.* ${fitting} ${further} order by o.month desc, o.id desc limit ${limit}`.execute(db);
  if (!count) return { rows, total: null };
  const counted = await sql<{ n: number }>`select count(*) as n ${fitting}`.execute(db);
  return { rows, total: counted.rows[0]?.n ?? 0 };
}

/** A statement that anyone may recount. */
export type SealedPayout = PayoutRow & { digest: string };

export const isSealed = (row: PayoutRow): row is SealedPayout => row.digest !== null;

export async function findPayout(handle: Sql, { side, accountId }: Reader, id: string): Promise<PayoutRow | undefined> {
  const found = selectPayouts(handle).where('o.id', '=', id);
  return side === 'developer'
    ? found.where('o.developer_id', '=', accountId).executeTakeFirst()
    : found
        .$call(joinOwn('partnerships as p', 'p.id', 'o.partnership_id'))
        .where('o.developer_id', '=', sql<string>`any(${await developersOf(handle, accountId)}::uuid[])`)
        .where('p.reseller_id', '=', accountId)
        .executeTakeFirst();
}

/** The same, held until the transaction ends. */
export async function lockPayout(handle: Sql, reader: Reader, id: string): Promise<PayoutRow | undefined> {
  const seen = await findPayout(handle, reader, id);
  if (!seen) return undefined;
  return selectPayouts(handle)
    .where('o.developer_id', '=', seen.developer_id)
    .where('o.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Counts the unpaid statements of an account, on either side, and those that its open months will make. Shown
 * before the account is deleted.
 */
export async function countUnpaid(handle: Sql, accountId: string): Promise<{ statements: number; open: number }> {
  const counts = { statements: 0, open: 0 };
  for (const side of ['developer', 'reseller'] as const) {
    const reader = { side, accountId };
    const developers = await developersBy(handle, reader);
    const { rows } = await sql<typeof counts>`
      select (select count(*) ${seenBy(reader, developers)} and o.status in ('pending', 'confirmed', 'disputed')) as statements,
        (select count(*) from (
           select 1 from partnerships p ${ownJoin('partner_months as m', 'm.partnership_id', 'p.id')}
             ${ownJoin('usage_months as u', 'u.month', 'm.month')}
           where ${partnersBy(reader, developers)} and u.closed_at is null
           group by m.developer_id, m.partnership_id, m.month
           having sum(m.revenue_cents - m.commission_cents + m.adjustment_revenue_cents - m.adjustment_commission_cents) > 0) due) as open`.execute(
      tables.in(handle),
    );
    counts.statements += rows[0]?.statements ?? 0;
    counts.open += rows[0]?.open ?? 0;
  }
  return counts;
}

/** The condition of partnerships `p` of one side. */
const partnersBy = ({ side, accountId }: Reader, developers: readonly string[]) =>
  side === 'developer'
    ? sql`p.developer_id = ${accountId} and ${inList('p.created_at')}`
    : sql`p.reseller_id = ${accountId} and ${ofTenants('p', developers)}`;

export function summaryOf(row: PayoutRow): PayoutSummary {
  const { parties, month } = row;
  const [start, end] = boundsOf(month);
  return {
    id: row.id,
    number: row.number,
    month: shortMonth(month),
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
