import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/db/statements/ids-at.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { addingCustomers } from './bulk.ts';
import { tables } from './tables.ts';

// Customers of imports. An import brings a file's rows as a query over temporary tables: `id, developer_id, email,
// email_key, first_name, last_name, created_at, import_id`. Customers who exist get the names that they lack.

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

/** The import that is taken back. */
interface TakenBack {
  developerId: string;
  importId: string;
  since: Date;
}

/** Customers `c` of an import. */
export const broughtCustomers = ({ developerId, importId, since }: TakenBack) =>
  sql<boolean>`c.developer_id = ${developerId} and c.id >= ${firstIdAt(since)}::uuid and c.import_id = ${importId}::uuid`;

/** Customers `c` who were there before an import, and got a name of it. */
const namedCustomers = ({ developerId, importId }: TakenBack) =>
  sql<boolean>`c.developer_id = ${developerId} and ${inList('c.created_at')} and ${importId}::uuid in (c.first_name_from, c.last_name_from)`;

/** Something has happened with customer `c` since they were imported: they came themselves, or were changed. */
export const touchedSince = ({ developerId }: TakenBack) =>
  sql<boolean>`(c.last_login_at is not null or c.proven_at is not null or c.no_updates_at is not null or c.erased_at is not null
    or exists (select 1 from customer_events e where e.developer_id = ${developerId} and e.customer_id = c.id))`;

/** Holds them until the transaction ends: before their serials, as in every redemption. */
export async function holdImportedCustomers(handle: Sql, rows: TakenBack): Promise<void> {
  await sql`
    select count(*) from (
      select c.id from customers c where c.developer_id = ${rows.developerId} and ((${broughtCustomers(rows)}) or (${namedCustomers(rows)})) order by c.id for update) held`.execute(
    tables.in(handle),
  );
}

/** Takes the names back that an import filled in for others, unless they were changed since, or a sale of the import stays with them. */
export async function forgetImportedNames(handle: Sql, rows: TakenBack): Promise<void> {
  const { developerId, importId } = rows;
  const left = (name: 'first_name' | 'last_name') => sql`
    ${sql.ref(name)} = case when ${sql.ref(`${name}_from`)} is distinct from ${importId}::uuid then ${sql.ref(name)} end,
    ${sql.ref(`${name}_from`)} = nullif(${sql.ref(`${name}_from`)}, ${importId}::uuid)`;
  await sql`
    update customers c set ${left('first_name')}, ${left('last_name')}
    where ${namedCustomers(rows)} and not exists (
      select 1 from redemptions r where r.developer_id = ${developerId} and r.customer_id = c.id and r.import_id = ${importId}::uuid)`.execute(
    tables.in(handle),
  );
}

/** Deletes customers of an import, unless they have a serial or something has happened with them. @returns how many */
export async function deleteImportedCustomers(handle: Sql, rows: TakenBack): Promise<number> {
  const { developerId } = rows;
  const { numAffectedRows } = await sql`
    delete from customers c
    where ${broughtCustomers(rows)} and not ${touchedSince(rows)}
      and not exists (select 1 from serials s where s.developer_id = ${developerId} and s.customer_id = c.id)
      and not exists (select 1 from redemptions r where r.developer_id = ${developerId} and r.customer_id = c.id)`.execute(
    tables.in(handle),
  );
  return Number(numAffectedRows ?? 0);
}
