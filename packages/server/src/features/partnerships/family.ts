import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { tables } from './tables.ts';

/**
 * The ids of a partnership and of those that have become part of it, as an array.
 * @param alias of the partnership in the statement @param developerId whose it is: a value, or a column where all developers are asked
 */
export function familyIn(alias: string, developerId: Expression<string>): RawBuilder<string[]> {
  const id = sql.ref(`${alias}.id`);
  return sql`array(select ${id} union all
    select m.id from partnerships m where m.developer_id = ${developerId} and m.merged_into = ${id})`;
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
        merged.where('reseller_id', '=', accountId).modifyEnd(acrossTenants('a reseller works with many developers'));
  return [id, ...(await own.execute()).map((each) => each.id)];
}
