import pg from 'pg';
import { quoted } from '../statements/identifiers.ts';
import { withBriefLocks } from './brief-locks.ts';
import type { ForeignKey } from './catalog.ts';
import { partitionSchema, WORKSHOP } from './names.ts';

/** PostgreSQL 18 is the first that adds a foreign key to a partitioned table without reading it at once. */
const AT_ONCE = 180_000;
const LATER = `${WORKSHOP}.later`;

/** Foreign keys whose partitions have them already. What is written here survives a run that is killed. */
export const createLaterTable = `create table if not exists ${LATER} (table_name text, name text, definition text, primary key (table_name, name))`;

/** Statements for a foreign key that holds for what is written from now on. {@link validateForeignKeys} looks at the rest, locking nobody out. */
export function addUnvalidated(key: ForeignKey, { by, version }: { by: number; version: number }): string[] {
  const add = (schema: string) =>
    `alter table ${schema}.${quoted(key.table)} add constraint ${quoted(key.name)} ${key.definition} not valid`;
  if (!key.partitioned || version >= AT_ONCE) return [add('public')];
  const noted = [key.table, key.name, key.definition].map((text) => pg.escapeLiteral(text)).join(', ');
  return [
    ...Array.from({ length: by }, (_, remainder) => add(partitionSchema(remainder))),
    `insert into ${LATER} values (${noted})`,
  ];
}

/** Looks at the rows that were there before their foreign key, while everybody reads and writes. */
export async function validateForeignKeys(client: pg.ClientBase): Promise<void> {
  const { rows: later } = await client.query<{ table_name: string; name: string; definition: string }>(
    `select table_name, name, definition from ${LATER} order by table_name, name`,
  );
  for (const { table_name: table, name, definition } of later) {
    const { rows } = await client.query<{ schema: string }>(
      `select c.relnamespace::regnamespace::text as schema from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass order by 1`,
      [`public.${table}`],
    );
    for (const { schema } of rows)
      await client.query(`alter table ${schema}.${quoted(table)} validate constraint ${quoted(name)}`);
    // takes over those of its partitions, and reads nothing
    await withBriefLocks(client, { tables: [], mode: 'share row exclusive' }, async () => {
      await client.query(`alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`);
      await client.query(`delete from ${LATER} where table_name = $1 and name = $2`, [table, name]);
    });
  }
  const { rows: unread } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'f' and not convalidated and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of unread) await client.query(`alter table ${table} validate constraint ${quoted(name)}`);
}
