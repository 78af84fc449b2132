import { type InferResult, type RawBuilder, sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { BillingState } from '../statements/statements.schemas.ts';
import { isUnfinished } from '../statements/unfinished.ts';
import type { BillingDb, BillingHandle } from '../tables.ts';

const COLUMNS = [
  'developer_id',
  'id',
  'number',
  'month',
  'total_cents',
  'state',
  'stripe_invoice_id',
  'attempts',
  'first_failed_at',
  'next_attempt_at',
  // why the last charge failed, in the provider's word
  'last_reason',
  // how long the process that took it works on it
  'lease_until',
  'party',
] as const;

/** Nobody has worked on it before, so no invoice of it was made. A run that is killed leaves its lease. */
const UNTOUCHED = sql<boolean>`(state = 'rated' and attempts = 0 and stripe_invoice_id is null and last_error is null and lease_until is null)`;
const UNFINISHED = isUnfinished('state');

/** Nobody works on it. */
const isFree = (now: Date) => sql<boolean>`coalesce(lease_until, '-infinity') <= ${now}`;

/** Selects the columns that collecting a statement needs. */
const selectDue = (handle: BillingHandle, developerId: string) =>
  handle
    .selectFrom('billing_statements')
    .select([...COLUMNS, UNTOUCHED.as('untouched')])
    .where('developer_id', '=', developerId);

export type DueStatement = InferResult<ReturnType<typeof selectDue>>[number];

/** The key of a statement: its developer and its id. */
export type StatementKey = Pick<DueStatement, 'developer_id' | 'id'>;

/** Statements whose time has come, in the order of their keys. */
export function dueStatements(
  db: BillingDb,
  now: Date,
  after: StatementKey | undefined,
  limit: number,
): Promise<StatementKey[]> {
  return db
    .selectFrom('billing_statements')
    .select(['developer_id', 'id'])
    .where(UNFINISHED)
    .where('next_attempt_at', '<=', now)
    .where(isFree(now))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(developer_id, id) > (${after?.developer_id}::uuid, ${after?.id}::uuid)`),
    )
    .orderBy('developer_id')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(acrossTenants('the job collects for everybody'))
    .execute();
}

/** How many are due that nobody has worked on, and before which moment no invoice of them can have been made. */
export function dueUntouched(db: BillingDb, now: Date): Promise<{ count: number; first: Date | null }> {
  return db
    .selectFrom('billing_statements')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<Date | null>`min(month)::timestamp at time zone 'UTC'`.as('first'),
    ])
    .where(UNTOUCHED)
    .where('next_attempt_at', '<=', now)
    .modifyEnd(acrossTenants('the job collects for everybody'))
    .executeTakeFirstOrThrow();
}

/** How many are due, and what they are over. */
export function dueInAll(db: BillingDb, now: Date): Promise<{ count: number; cents: number }> {
  return db
    .selectFrom('billing_statements')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(total_cents), 0)::int8`.as('cents'),
    ])
    .where(UNFINISHED)
    .where('next_attempt_at', '<=', now)
    .modifyEnd(acrossTenants('a figure of the platform'))
    .executeTakeFirstOrThrow();
}

/** When the one was due that waits longest to be worked on. */
export async function oldestDue(db: BillingDb): Promise<Date | null> {
  const { oldest } = await db
    .selectFrom('billing_statements')
    .select((eb) => eb.fn.min<Date | null>('next_attempt_at').as('oldest'))
    .where(UNFINISHED)
    .where('next_attempt_at', 'is not', null)
    .modifyEnd(acrossTenants('a figure of the platform'))
    .executeTakeFirstOrThrow();
  return oldest;
}

/** How many are due that somebody has taken, and until when the last of them is. */
export function dueHeld(db: BillingDb, now: Date): Promise<{ count: number; until: Date | null }> {
  return db
    .selectFrom('billing_statements')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max<Date | null>('lease_until').as('until')])
    .where(UNFINISHED)
    .where('next_attempt_at', '<=', now)
    .where('lease_until', '>', now)
    .modifyEnd(acrossTenants('the job collects for everybody'))
    .executeTakeFirstOrThrow();
}

/**
 * Takes a statement, so that nobody else works on it until the lease ends.
 * @param wanted states; undefined: unfinished and due.
 */
export async function leaseStatement(
  handle: BillingHandle,
  { developer_id, id }: StatementKey,
  now: Date,
  until: Date,
  wanted?: readonly BillingState[],
): Promise<DueStatement | null> {
  const isWanted = wanted
    ? sql<boolean>`state = any(${wanted}::text[])`
    : sql<boolean>`${UNFINISHED} and next_attempt_at <= ${now}`;
  const { rows } = await sql<DueStatement>`
    with before as materialized (
      select ${UNTOUCHED} as untouched from billing_statements
      where developer_id = ${developer_id} and id = ${id} for no key update)
    update billing_statements set lease_until = ${until} from before
    where developer_id = ${developer_id} and id = ${id} and ${isFree(now)} and ${isWanted}
    returning ${sql.raw(COLUMNS.join(', '))}, untouched`.execute(handle);
  return rows[0] ?? null;
}

export async function readStatement(
  handle: BillingHandle,
  { developer_id, id }: StatementKey,
): Promise<DueStatement | null> {
  return (await selectDue(handle, developer_id).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The same, which nobody else changes until the transaction ends. */
export async function lockStatement(
  tx: BillingHandle,
  { developer_id, id }: StatementKey,
): Promise<DueStatement | null> {
  return (await selectDue(tx, developer_id).where('id', '=', id).forUpdate().executeTakeFirst()) ?? null;
}

/** A statement, to be changed. */
export const changeStatement = (handle: BillingHandle, { developer_id, id }: StatementKey) =>
  handle.updateTable('billing_statements').where('developer_id', '=', developer_id).where('id', '=', id);

/** Ends a lease, unless somebody else has one by now; with words, why nothing came of it. */
export async function endStatementLease(db: BillingDb, taken: DueStatement, error: string | null): Promise<void> {
  await changeStatement(db, taken)
    .set({
      lease_until: sql<Date | null>`case when lease_until = ${taken.lease_until} then null else lease_until end`,
      last_error: sql<string | null>`coalesce(${error}, last_error)`,
    })
    .execute();
}

/** Whether somebody works on it. */
export async function isLeased(db: BillingDb, { developer_id, id }: StatementKey, now: Date): Promise<boolean> {
  const leased = await db
    .selectFrom('billing_statements')
    .select('id')
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .where('lease_until', '>', now)
    .executeTakeFirst();
  return leased !== undefined;
}

/** Whether a statement was paid by this invoice: that never changes. */
export async function isPaid(db: BillingDb, invoiceId: string): Promise<boolean> {
  const paid = await db
    .selectFrom('billing_statements')
    .select('id')
    .where('stripe_invoice_id', '=', invoiceId)
    .where('state', '=', 'paid')
    .modifyEnd(acrossTenants('an event names the invoice alone'))
    .executeTakeFirst();
  return paid !== undefined;
}

export async function noteInvoice(db: BillingDb, key: StatementKey, invoiceId: string): Promise<void> {
  await changeStatement(db, key)
    .set({
      stripe_invoice_id: invoiceId,
      state: sql<BillingState>`case when state = 'rated' then 'invoiced' else state end`,
    })
    .execute();
}

/** Unfinished statements that have an invoice. */
export function statementsInHand(db: BillingDb, developerId: string): Promise<DueStatement[]> {
  return selectDue(db, developerId)
    .where(inList('closed_at'))
    .where(UNFINISHED)
    .where('stripe_invoice_id', 'is not', null)
    .execute();
}

/** The draft was thrown away. */
export async function forgetInvoice(db: BillingDb, key: StatementKey): Promise<void> {
  await changeStatement(db, key).set({ stripe_invoice_id: null }).execute();
}

export async function noteOpen(db: BillingDb, key: StatementKey): Promise<void> {
  await changeStatement(db, key).set({ state: 'open' }).where('state', 'in', ['rated', 'invoiced']).execute();
}

/** Makes open and failed statements due at once, because there is another card. @returns their ids. */
export async function dueAgain(tx: BillingHandle, developerId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('billing_statements')
    .set({ state: 'open', next_attempt_at: now })
    .where('developer_id', '=', developerId)
    .where(inList('closed_at'))
    .where('state', 'in', ['open', 'failed'])
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

const selectLog = (handle: BillingHandle, { developer_id, id }: StatementKey) =>
  handle.selectFrom('billing_logs').where('developer_id', '=', developer_id).where('statement_id', '=', id);

/** When the last charge was tried. */
export async function lastCharge(db: BillingDb, statement: DueStatement): Promise<Date | undefined> {
  const charge = await selectLog(db, statement)
    .select('created_at')
    .where('attempt', '=', statement.attempts)
    .where('action', '=', 'charge')
    .executeTakeFirst();
  return charge?.created_at;
}

/**
 * The next charge is not tried before a moment; a later one stays as it is.
 * @returns false when it is being tried now, or was since the statement was read.
 */
export async function holdBack(db: BillingDb, statement: DueStatement, now: Date, until: Date): Promise<boolean> {
  const { numUpdatedRows: held } = await changeStatement(db, statement)
    .set({ next_attempt_at: sql<Date>`greatest(next_attempt_at, ${until})` })
    .where('state', 'in', ['open', 'failed'])
    .where('attempts', '=', statement.attempts)
    .where(isFree(now))
    .executeTakeFirst();
  return held > 0n;
}

/**
 * Whether an admin has taken up again what was given up: it is unfinished although it was given up before, or another charge
 * was asked for since the last one. At Stripe such an invoice stays uncollectible until it is paid.
 */
export async function isTakenUp(db: BillingDb, { developer_id, id }: StatementKey): Promise<boolean> {
  const statement = await db
    .selectFrom('billing_statements as s')
    .select('s.id')
    .where('s.developer_id', '=', developer_id)
    .where('s.id', '=', id)
    .where(isUnfinished('s.state'))
    .where(takenUp(sql`${developer_id}`))
    .executeTakeFirst();
  return statement !== undefined;
}

/** Whether statement `s` was given up before, or is to be charged again. @param developerId its developer's */
export const takenUp = (developerId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from billing_logs l where l.developer_id = ${developerId} and l.statement_id = s.id
    and (l.action = 'uncollectible' or (l.action = 'retry' and l.attempt = s.attempts)))`;

/** How many charges there were before it was last given up; null: it never was. */
export async function attemptsBefore(handle: BillingHandle, key: StatementKey): Promise<number | null> {
  const { attempts } = await selectLog(handle, key)
    .select((eb) => eb.fn.max<number | null>('attempt').as('attempts'))
    .where('action', '=', 'uncollectible')
    .executeTakeFirstOrThrow();
  return attempts;
}
