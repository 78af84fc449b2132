import { type InferResult, sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { takenUp } from '../collection/due.queries.ts';
import type { BillingDb } from '../tables.ts';
import { otherSums, type Sums } from './difference-words.ts';
import type { Difference } from './differences.queries.ts';

const ACROSS = acrossTenants('the reconciliation');

/** Statements `s` of late, and those that Stripe's invoices name. */
const statementsOf = (db: BillingDb, since: Date, named: readonly string[]) =>
  db
    .selectFrom('billing_statements as s')
    .where(sql<boolean>`(s.closed_at >= ${since} or s.id = any(${named}::uuid[]))`)
    .modifyEnd(ACROSS);

const selectComparable = (...of: Parameters<typeof statementsOf>) =>
  statementsOf(...of).select([
    's.developer_id',
    's.id',
    's.number',
    's.month',
    's.state',
    's.total_cents',
    's.stripe_invoice_id',
    // somebody works on it
    sql<boolean>`s.lease_until is not null`.as('busy'),
    // at Stripe it stays given up until it is paid
    takenUp(sql`s.developer_id`).as('taken_up'),
  ]);

export type Comparable = InferResult<ReturnType<typeof selectComparable>>[number];

export const statementsToCompare = (...of: Parameters<typeof statementsOf>): Promise<Comparable[]> =>
  selectComparable(...of).execute();

/** How many statements are compared: those of late with the ledger, and others that Stripe names. */
export async function countCompared(...of: Parameters<typeof statementsOf>): Promise<number> {
  const { n } = await statementsOf(...of)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Statements whose figures are not those of the ledger, or whose lines do not add up. */
export async function againstLedger(db: BillingDb, since: Date): Promise<Difference[]> {
  const { rows } = await sql<Columns<'billing_statements', 'developer_id' | 'id' | 'number'> & Sums>`${ACROSS}
     select s.developer_id, s.id, s.number, s.total_cents::int8 as total, l.cents::int8 as lines, s.overage_cents::int8 as overage,
       r.cents::int8 as ledger, s.refresh_cents::int8 as refreshes, c.cents::int8 as refreshed
     from billing_statements s
     cross join lateral (select coalesce(sum(b.amount_cents), 0) as cents from billing_lines b
       where b.developer_id = s.developer_id and b.statement_id = s.id) l
     cross join lateral (select coalesce(sum(d.usage_cents), 0) as cents from redemptions d
       where d.developer_id = s.developer_id and ${inList('d.redeemed_at')} and d.redeemed_at >= s.month::timestamp at time zone 'UTC'
         and d.redeemed_at < (s.month + interval '1 month') at time zone 'UTC') r
     cross join lateral (select coalesce(sum(x.cost_cents), 0) as cents from refresh_charges x
       where x.developer_id = s.developer_id and x.refreshed_at >= s.month::timestamp at time zone 'UTC'
         and x.refreshed_at < (s.month + interval '1 month') at time zone 'UTC') c
     where s.closed_at >= ${since}
       and (l.cents <> s.total_cents or r.cents <> s.overage_cents or c.cents <> s.refresh_cents)`.execute(db);
  return rows.map(({ developer_id, id, number, ...sums }) => ({
    developerId: developer_id,
    statementId: id,
    number,
    invoiceId: null,
    words: otherSums(sums),
  }));
}
