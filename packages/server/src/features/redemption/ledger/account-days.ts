import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { tables } from '../tables.ts';

/** The account by itself: beside `users`, which every machine has, each of them would be asked for rows of it. */
export const accountOf = (developerId: unknown) =>
  sql`account as materialized (select id, time_zone from users where id = ${developerId})`;
export const ACCOUNT = sql`account`;

/** Shares the account's days: see {@link shareDays}. */
const share = tables.named(
  'share_days',
  (_, developerId: string) => sql<object>`select pg_advisory_xact_lock_shared(hashtextextended(${developerId}, 1))`,
);

/**
 * Keeps the boundaries of the account's days until the transaction ends: a change of its time zone, which recalculates
 * all sums, waits for this transaction or commits before it.
 */
export async function shareDays(handle: Sql, developerId: string): Promise<void> {
  await share(handle, developerId);
}

/** Keeps other transactions from writing the account's ledger until the transaction ends. */
export async function holdDays(handle: Sql, developerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${developerId}, 1))`.execute(tables.in(handle));
}
