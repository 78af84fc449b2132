import type { Sql } from '../database.ts';

/** Filled by migrations, and not by what happens later. */
export const MADE_BY_MIGRATIONS = ['mikro_orm_migrations', 'rolling_migrations'];

interface Table {
  name: string;
  /** Without those that PostgreSQL computes. */
  columns: string[];
}

/** Every table that is kept, each after those that its foreign keys reference. The job queue is not among them. */
export async function tablesInOrder(sql: Sql): Promise<Table[]> {
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
