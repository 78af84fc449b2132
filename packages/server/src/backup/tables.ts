import type { Sql } from '#platform/db/database.ts';
import { MADE_BY_MIGRATIONS } from '#platform/db/schema/tables-in-order.ts';
import { quoted } from '#platform/db/statements/identifiers.ts';

/** Tables that write to others, or refuse, when a row comes. */
export async function tablesWithTriggers(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Fills tables without their foreign keys, and makes these afterwards: PostgreSQL looks at all rows of a table at once then, and not at
 * each by itself, for which it goes through the partitions anew. It plans that by the statistics, which are made before.
 * @param fill in a transaction that `sql` is part of
 */
export async function withoutForeignKeys<T>(sql: Sql, fill: () => Promise<T>): Promise<T> {
  const keys = await sql.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of keys) await sql.query(`alter table ${table} drop constraint ${name}`);
  const filled = await fill();
  await sql.query('analyze');
  for (const { table, name, definition } of keys)
    await sql.query(`alter table ${table} add constraint ${name} ${definition}`);
  return filled;
}

/** After rows came with numbers of their own, the next ones have to follow them. */
export async function moveSequences(sql: Sql): Promise<void> {
  const owned = await sql.query<{ sequence: string; name: string; column: string }>(
    `select s.oid::regclass::text as sequence, c.relname as name, a.attname as column
     from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.classid = 'pg_class'::regclass
       join pg_class c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1::text[])`,
    [MADE_BY_MIGRATIONS],
  );
  for (const { sequence, name, column } of owned) {
    await sql.query(
      `/* across tenants: the whole table */ select setval('${sequence}', coalesce(max(${quoted(column)}), 1), max(${quoted(column)}) is not null) from ${quoted(name)}`,
    );
  }
}
