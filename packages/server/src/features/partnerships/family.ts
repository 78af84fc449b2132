import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { ofTenants } from '#platform/db/tenant.ts';
import { developersOf } from './reseller-developers.ts';
import { tables } from './tables.ts';

/** Whose partnerships a statement reads: of one developer, or of some. */
export type TenantScope = { developerId: string } | { developers: readonly string[] };

/** The condition that a table of the same tenant as a partnership is bound by. @param partnership its alias */
export function inScope(table: string, partnership: string, scope: TenantScope): RawBuilder<boolean> {
  const own = sql.ref(`${table}.developer_id`);
  return 'developerId' in scope
    ? sql`${own} = ${scope.developerId}::uuid`
    : sql`${own} = ${sql.ref(`${partnership}.developer_id`)} and ${ofTenants(table, scope.developers)}`;
}

/**
 * The ids of a partnership and of those that have become part of it, as an array.
 * @param alias of the partnership in the statement
 */
export function familyIn(alias: string, scope: TenantScope): RawBuilder<string[]> {
  const id = sql.ref(`${alias}.id`);
  return sql`array_prepend(${id}, array(
    select m.id from partnerships m where ${inScope('m', alias, scope)} and m.merged_into = ${id}))`;
}

/** The same, for a partnership of this account; of any other id, only itself. */
export async function familyIds(
  handle: Sql,
  accountId: string,
  id: string,
  side: 'developer' | 'reseller' = 'developer',
): Promise<string[]> {
  const merged = tables.in(handle).selectFrom('partnerships').select('id').where('merged_into', '=', id);
  const own =
    side === 'developer'
      ? merged.where('developer_id', '=', accountId)
      : // a merged row has the account of the partnership that it has become part of
        merged
          .where('reseller_id', '=', accountId)
          .where('developer_id', '=', sql<string>`any(${await developersOf(handle, accountId)}::uuid[])`);
  return [id, ...(await own.execute()).map((each) => each.id)];
}
