import type { Sql } from '#platform/db/database.ts';

/** SQL: the ids of partnership `p` and of those that have become part of it, as an array. */
export const familyOf = (p: string) =>
  `array(select ${p}.id union all select m.id from partnerships m where m.developer_id = ${p}.developer_id and m.merged_into = ${p}.id)`;

const MERGED = {
  developer: 'select id from partnerships where developer_id = $1 and merged_into = $2',
  // a merged row has the account of the partnership that it has become part of
  reseller:
    '/* across tenants: a reseller has many developers */ select id from partnerships where reseller_id = $1 and merged_into = $2',
};

/** The same, for a partnership of this account; of any other id, only itself. */
export async function familyIds(
  sql: Sql,
  userId: string,
  id: string,
  side: 'developer' | 'reseller' = 'developer',
): Promise<string[]> {
  const merged = await sql.query<{ id: string }>(MERGED[side], [userId, id]);
  return [id, ...merged.map((each) => each.id)];
}
