import type { Sql } from '#platform/db/database.ts';

/** Filled by migrations, and not by what happens later. */
export const MADE_BY_MIGRATIONS = ['mikro_orm_migrations', 'rolling_migrations'];

export interface Table {
  name: string;
  columns: string[];
}

/** Every table that is kept, each after those that its foreign keys reference. The job queue is not among them. */
export async function readTables(sql: Sql): Promise<Table[]> {
  const tables = await sql.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1::text[])
     group by c.relname order by c.relname`,
    [MADE_BY_MIGRATIONS],
  );
  const links = await sql.query<{ child: string; parent: string }>(
    `select distinct c.relname as child, p.relname as parent from pg_constraint k
     join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid
     where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace and k.conrelid <> k.confrelid`,
  );
  const sorted: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const next = left.filter(({ name }) => !links.some((link) => link.child === name && waiting.has(link.parent)));
    if (next.length === 0) throw new Error(`foreign keys in a circle: ${[...waiting].join(', ')}`);
    sorted.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return sorted;
}

/** Those that write to others, or refuse, when a row comes. */
export async function tablesWithTriggers(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

export const quoted = (names: string[]) => names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');

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
      `/* across tenants: the whole table */ select setval('${sequence}', coalesce(max(${quoted([column])}), 1), max(${quoted([column])}) is not null) from ${quoted([name])}`,
    );
  }
}
