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
