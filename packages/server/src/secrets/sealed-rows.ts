import type { Sql } from '#platform/db/database.ts';
import type { SealedColumn } from '#platform/secrets/sealed-column.ts';

// Statements of the columns that features declare as sealed. Their tables are known by these declarations alone, and they are sent in
// nobody's name.

/** The sealed text of one of the newest rows. */
export async function anySealed(sql: Sql, { table, column }: SealedColumn): Promise<Buffer | undefined> {
  const [row] = await sql.query<{ sealed: Buffer }>(
    `/* across tenants: any one will do */ select ${column} as sealed from ${table} where length(${column}) > 0 order by id desc limit 1`,
  );
  return row?.sealed;
}

export interface SealedRow {
  id: string;
  sealed: Buffer;
}

/** The next rows in the order of their ids that another secret has sealed than that of this mark. */
export function nextSealed(
  sql: Sql,
  { table, column }: SealedColumn,
  { after, mark, limit }: { after: string; mark: Buffer; limit: number },
): Promise<SealedRow[]> {
  return sql.query<SealedRow>(
    `/* across tenants: the rotation of a secret */ select id, ${column} as sealed from ${table}
     where id > $1 and length(${column}) > 0 and substring(${column} from 1 for 4) <> $2 order by id limit $3`,
    [after, mark, limit],
  );
}

/** Replaces what is sealed, where it is still as it was read. @returns how many. */
export async function replaceSealed(
  sql: Sql,
  { table, column }: SealedColumn,
  rows: readonly (SealedRow & { fresh: Buffer })[],
): Promise<number> {
  const done = await sql.query(
    `/* across tenants: the rotation of a secret */ update ${table} t set ${column} = n.fresh from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as n (id, old, fresh)
     where t.id = n.id and t.${column} = n.old returning t.id`,
    [rows.map(({ id }) => id), rows.map(({ sealed }) => sealed), rows.map(({ fresh }) => fresh)],
  );
  return done.length;
}
