import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { tables } from '../tables.ts';

// An account's row is locked where the account's other rows are. Every machine of a cluster has it: alone, it would be locked on all of
// them, for which every other account waits, and of two that share it one is ended. No product has the id of its account.
const besideItsRows = (id: string) =>
  sql`users u left join products p on p.developer_id = ${id} and p.id = ${id} where u.id = ${id}`;

/**
 * Keeps these accounts from being deleted until the transaction ends.
 * @param options wait: for one that is being deleted just now; otherwise it is left out.
 * @returns those that are kept.
 */
export async function holdAccounts(
  handle: Sql,
  ids: readonly string[],
  { wait }: { wait: boolean },
): Promise<string[]> {
  const held: string[] = [];
  for (const id of ids.toSorted()) {
    const { rows } = await sql<Columns<'users', 'id'>>`select u.id from ${besideItsRows(id)}
      for key share of u ${wait ? sql`` : sql`skip locked`}`.execute(tables.in(handle));
    held.push(...rows.map((row) => row.id));
  }
  return held;
}

/** The same of one. @returns whether it is kept; one that was deleted is not. */
export async function holdOpenAccount(handle: Sql, id: string): Promise<boolean> {
  const { rows } = await sql`select u.id from ${besideItsRows(id)} and u.deleted_at is null
    for key share of u`.execute(tables.in(handle));
  return rows.length > 0;
}

/**
 * Locks an account against other locks and changes until the transaction ends.
 * @returns its address, unless it was deleted.
 */
export async function takeAccount(handle: Sql, id: string): Promise<string | undefined> {
  const { rows } = await sql<Columns<'users', 'email'>>`
    select u.email from ${besideItsRows(id)} and u.deleted_at is null
    for update of u`.execute(tables.in(handle));
  return rows[0]?.email;
}
