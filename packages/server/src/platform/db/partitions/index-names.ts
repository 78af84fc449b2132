import type pg from 'pg';
import { quoted } from '../statements/identifiers.ts';
import { together } from './together.ts';

interface Misnamed {
  index: string;
  schema: string;
  name: string;
  wanted: string;
}

/**
 * Gives the indexes of partitions the names of those on their parent, which PostgreSQL does not: errors name them.
 * @param table of which; without it, of all.
 */
export async function nameIndexes(client: pg.ClientBase, table: string | null = null): Promise<void> {
  const { rows } = await client.query<Misnamed>(
    `select i.oid::regclass::text as index, i.relnamespace::regnamespace::text as schema, i.relname as name, p.relname as wanted
     from pg_inherits h join pg_class i on i.oid = h.inhrelid join pg_class p on p.oid = h.inhparent
       join pg_index x on x.indexrelid = p.oid
     where ($1::regclass is null or x.indrelid = $1::regclass) and i.relkind in ('i', 'I') and i.relname <> p.relname and i.relnamespace::regnamespace::text ~ '^partition_[0-9]+$'
     order by 1`,
    [table],
  );
  const taken = new Set(rows.map(({ schema, name }) => `${schema}.${name}`));
  // one may have the name that another one is to get
  const inTheWay = rows.filter(({ schema, wanted }) => taken.has(`${schema}.${wanted}`));
  const freed = new Set(inTheWay.map(({ schema, wanted }) => `${schema}.${wanted}`));
  const renames: string[] = [];
  for (const row of rows) {
    if (!freed.has(`${row.schema}.${row.name}`)) continue;
    const meanwhile = `renamed_${renames.length}`;
    renames.push(`alter index ${row.index} rename to ${meanwhile}`);
    row.index = `${row.schema}.${meanwhile}`;
  }
  renames.push(...rows.map(({ index, wanted }) => `alter index ${index} rename to ${quoted(wanted)}`));
  await together(client, renames);
}
