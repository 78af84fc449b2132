import type { Sql } from '#platform/db/database.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';

/** What has to be known of a statement to collect it. */
export interface DueStatement {
  developer_id: string;
  id: string;
  number: string;
  month: string;
  total_cents: number;
  state: string;
  stripe_invoice_id: string | null;
  attempts: number;
  first_failed_at: Date | null;
  next_attempt_at: Date | null;
  /** Why the last charge failed, in the provider's word. */
  last_reason: string | null;
  /** Until when whoever took it works on it. */
  lease_until: Date | null;
  /** Nobody has worked on it before, so that no invoice of it was made. Whoever dies at it leaves their lease. */
  untouched: boolean;
  party: { name: string; email: string };
}

interface Key {
  developer_id: string;
  id: string;
}

const COLUMNS =
  'developer_id, id, number, month, total_cents, state, stripe_invoice_id, attempts, first_failed_at, next_attempt_at, last_reason, lease_until, party';
const UNTOUCHED =
  "state = 'rated' and attempts = 0 and stripe_invoice_id is null and last_error is null and lease_until is null";
const UNFINISHED = "state in ('rated', 'invoiced', 'open', 'failed')";

/** Statements whose time has come, in the order of their keys. */
export function dueStatements(sql: Sql, now: Date, after: Key | undefined, limit: number): Promise<Key[]> {
  return sql.query<Key>(
    `/* across tenants: the job collects for everybody */ select developer_id, id from billing_statements
     where ${UNFINISHED} and next_attempt_at <= $1 and coalesce(lease_until, '-infinity') <= $1
       and ($2::uuid is null or (developer_id, id) > ($2, $3::uuid))
     order by developer_id, id limit $4`,
    [now, after?.developer_id ?? null, after?.id ?? null, limit],
  );
}

/** How many are due that nobody has worked on, and before which moment no invoice of them can have been made. */
export async function dueUntouched(sql: Sql, now: Date): Promise<{ count: number; first: Date | null }> {
  const [row] = await sql.query<{ count: number; first: Date | null }>(
    `/* across tenants: the job collects for everybody */ select count(*) as count, min(month)::timestamp at time zone 'UTC' as first from billing_statements
     where ${UNTOUCHED} and next_attempt_at <= $1`,
    [now],
  );
  return row ?? { count: 0, first: null };
}

/** How many are due, and what they are over. */
export async function dueInAll(sql: Sql, now: Date): Promise<{ count: number; cents: number }> {
  const [row] = await sql.query<{ count: number; cents: number }>(
    `/* across tenants: a figure of the platform */ select count(*)::int as count, coalesce(sum(total_cents), 0)::int8 as cents
     from billing_statements where ${UNFINISHED} and next_attempt_at <= $1`,
    [now],
  );
  return row ?? { count: 0, cents: 0 };
}

/** When the one was due that waits longest to be worked on. */
export async function oldestDue(sql: Sql): Promise<Date | null> {
  const [row] = await sql.query<{ oldest: Date | null }>(
    `/* across tenants: a figure of the platform */ select min(next_attempt_at) as oldest from billing_statements
     where ${UNFINISHED} and next_attempt_at is not null`,
  );
  return row?.oldest ?? null;
}

/** How many are due that somebody has taken, and until when the last of them is. */
export async function dueHeld(sql: Sql, now: Date): Promise<{ count: number; until: Date | null }> {
  const [row] = await sql.query<{ count: number; until: Date | null }>(
    `/* across tenants: the job collects for everybody */ select count(*) as count, max(lease_until) as until from billing_statements
     where ${UNFINISHED} and next_attempt_at <= $1 and lease_until > $1`,
    [now],
  );
  return row ?? { count: 0, until: null };
}

/**
 * Takes a statement, so that nobody else works on it until the lease ends.
 * @param wanted states; undefined: unfinished and due.
 */
export async function leaseStatement(
  sql: Sql,
  key: Key,
  now: Date,
  until: Date,
  wanted?: readonly string[],
): Promise<DueStatement | null> {
  const [row] = await sql.query<DueStatement>(
    `with before as materialized (
       select ${UNTOUCHED} as untouched from billing_statements where developer_id = $1 and id = $2 for no key update)
     update billing_statements set lease_until = $4 from before
     where developer_id = $1 and id = $2 and coalesce(lease_until, '-infinity') <= $3
       and case when $5::text[] is null then ${UNFINISHED} and next_attempt_at <= $3 else state = any($5) end
     returning ${COLUMNS}, untouched`,
    [key.developer_id, key.id, now, until, wanted ?? null],
  );
  return row ?? null;
}

export async function readStatement(sql: Sql, key: Key, lock = ''): Promise<DueStatement | null> {
  const [row] = await sql.query<DueStatement>(
    `select ${COLUMNS}, ${UNTOUCHED} as untouched from billing_statements where developer_id = $1 and id = $2 ${lock}`,
    [key.developer_id, key.id],
  );
  return row ?? null;
}

/** Ends a lease, unless somebody else has one by now; with words, why nothing came of it. */
export async function endStatementLease(sql: Sql, taken: DueStatement, error: string | null): Promise<void> {
  await sql.query(
    `update billing_statements set lease_until = case when lease_until = $4 then null else lease_until end,
       last_error = coalesce($3, last_error) where developer_id = $1 and id = $2`,
    [taken.developer_id, taken.id, error, taken.lease_until],
  );
}

/** Whether somebody works on it. */
export async function isLeased(sql: Sql, key: Key, now: Date): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from billing_statements where developer_id = $1 and id = $2 and lease_until > $3',
    [key.developer_id, key.id, now],
  );
  return rows.length > 0;
}

/** Whether a statement was paid by this invoice: that never changes. */
export async function isPaid(sql: Sql, invoiceId: string): Promise<boolean> {
  const rows = await sql.query(
    "/* across tenants: an event names the invoice alone */ select 1 from billing_statements where stripe_invoice_id = $1 and state = 'paid'",
    [invoiceId],
  );
  return rows.length > 0;
}

export async function noteInvoice(sql: Sql, key: Key, invoiceId: string): Promise<void> {
  await sql.query(
    `update billing_statements set stripe_invoice_id = $3, state = case when state = 'rated' then 'invoiced' else state end
     where developer_id = $1 and id = $2`,
    [key.developer_id, key.id, invoiceId],
  );
}

/** Unfinished statements that have an invoice. */
export function statementsInHand(sql: Sql, developerId: string): Promise<DueStatement[]> {
  return sql.query<DueStatement>(
    `select ${COLUMNS}, ${UNTOUCHED} as untouched from billing_statements
     where developer_id = $1 and ${ofLists('closed_at')} and ${UNFINISHED} and stripe_invoice_id is not null`,
    [developerId],
  );
}

/** The draft was thrown away. */
export async function forgetInvoice(sql: Sql, key: Key): Promise<void> {
  await sql.query('update billing_statements set stripe_invoice_id = null where developer_id = $1 and id = $2', [
    key.developer_id,
    key.id,
  ]);
}

export async function noteOpen(sql: Sql, key: Key): Promise<void> {
  await sql.query(
    "update billing_statements set state = 'open' where developer_id = $1 and id = $2 and state in ('rated', 'invoiced')",
    [key.developer_id, key.id],
  );
}

/** What is open or failed is due at once, because there is another card. @returns how many. */
export async function dueAgain(sql: Sql, developerId: string, now: Date): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update billing_statements set state = 'open', next_attempt_at = $2
     where developer_id = $1 and ${ofLists('closed_at')} and state in ('open', 'failed') returning id`,
    [developerId, now],
  );
  return rows.map(({ id }) => id);
}

/** When the last charge was tried. */
export async function lastCharge(sql: Sql, { developer_id, id, attempts }: DueStatement): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date }>(
    `select created_at as at from billing_logs
     where developer_id = $1 and statement_id = $2 and attempt = $3 and action = 'charge'`,
    [developer_id, id, attempts],
  );
  return row?.at;
}

/**
 * The next charge is not tried before a moment; a later one stays as it is.
 * @returns false when it is being tried now, or was since the statement was read.
 */
export async function holdBack(sql: Sql, statement: DueStatement, now: Date, until: Date): Promise<boolean> {
  const rows = await sql.query(
    `update billing_statements set next_attempt_at = greatest(next_attempt_at, $4)
     where developer_id = $1 and id = $2 and state in ('open', 'failed') and attempts = $5
       and coalesce(lease_until, '-infinity') <= $3 returning 1`,
    [statement.developer_id, statement.id, now, until, statement.attempts],
  );
  return rows.length > 0;
}

export function linesOfStatement(
  sql: Sql,
  key: Key,
): Promise<{ n: number; description: string; amount_cents: number }[]> {
  return sql.query(
    'select n, description, amount_cents from billing_lines where developer_id = $1 and statement_id = $2 order by n',
    [key.developer_id, key.id],
  );
}

/**
 * Whether an admin has taken up again what was given up: it is unfinished although it was given up before, or another charge
 * was asked for since the last one. At Stripe such an invoice stays uncollectible until it is paid.
 */
export async function isTakenUp(sql: Sql, { developer_id, id }: Key): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from billing_statements s where s.developer_id = $1 and s.id = $2 and s.${UNFINISHED} and exists (
       select 1 from billing_logs l where l.developer_id = s.developer_id and l.statement_id = s.id
         and (l.action = 'uncollectible' or (l.action = 'retry' and l.attempt = s.attempts)))`,
    [developer_id, id],
  );
  return rows.length > 0;
}

/** How many charges there were before it was last given up; null: it never was. */
export async function attemptsBefore(sql: Sql, { developer_id, id }: Key): Promise<number | null> {
  const [row] = await sql.query<{ attempts: number | null }>(
    `select max(attempt) as attempts from billing_logs
     where developer_id = $1 and statement_id = $2 and action = 'uncollectible'`,
    [developer_id, id],
  );
  return row?.attempts ?? null;
}
