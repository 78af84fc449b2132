import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { addingCustomers } from './bulk.ts';
import { tables } from './tables.ts';

// For imports, which bring a file's rows as a query over temporary tables: `id, developer_id, email, email_key, first_name, last_name,
// created_at`. Those who exist get the names that they lack.

/** @returns how many are new: these have the id of their row, and those that were only filled in keep their own. */
export async function addCustomers(handle: Sql, source: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with made as (${addingCustomers(source, 'incomplete')} returning id)
    select count(*) as n from made where id in (select id from (${source}) as people)`.execute(tables.in(handle));
  return rows[0]?.n ?? 0;
}

/**
 * The same, and puts all of them into a temporary table: `email_key, developer_id, id`. Existing ones are written unchanged, which finds
 * them by their key, without depending on the plan of a search.
 */
export async function addCustomersInto(handle: Sql, table: string, source: RawBuilder<unknown>): Promise<void> {
  await sql`
    with people as (${addingCustomers(source, 'every')} returning email_key, developer_id, id)
    insert into ${sql.table(table)} select * from people`.execute(tables.in(handle));
}
