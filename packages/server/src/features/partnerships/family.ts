import type { Sql } from '../../platform/db/database.ts';

/** SQL: the ids of partnership `p` and of those that have become part of it, as an array. */
export const familyOf = (p: string) =>
  `array(select ${p}.id union all select m.id from partnerships m where m.developer_id = ${p}.developer_id and m.merged_into = ${p}.id)`;

/** The same, for a partnership of this developer; of any other id, only itself. */
export async function familyIds(sql: Sql, developerId: string, id: string): Promise<string[]> {
  const merged = await sql.query<{ id: string }>(
    'select id from partnerships where developer_id = $1 and merged_into = $2',
    [developerId, id],
  );
  return [id, ...merged.map((each) => each.id)];
}
