import type { Sql } from '../sql.ts';
import { quoted } from '../statements/identifiers.ts';

/**
 * Partitioned tables whose statistics are out of date: autovacuum keeps those of each partition, never those of the whole, by which joins
 * are planned.
 */
const STALE = `
  with parts as (
    select i.inhparent as oid, sum(greatest(c.reltuples, 0)) as rows, max(greatest(s.last_analyze, s.last_autoanalyze)) as analyzed
    from pg_inherits i join pg_class c on c.oid = i.inhrelid left join pg_stat_all_tables s on s.relid = c.oid
    where c.relkind = 'r' group by i.inhparent
  )
  select p.relname as name from pg_class p join parts using (oid) left join pg_stat_all_tables s on s.relid = p.oid
  where p.relkind = 'p' and p.relnamespace = 'public'::regnamespace and (
    abs(parts.rows - greatest(p.reltuples, 0)) > 50 + 0.1 * greatest(p.reltuples, 0)
    or (parts.analyzed > s.last_analyze and s.last_analyze < now() - interval '1 day'))
  order by 1`;

/** Does for partitioned tables what autovacuum does for others. @returns which ones had to be looked at */
export async function analyzePartitioned(sql: Sql): Promise<string[]> {
  const stale = await sql.query<{ name: string }>(STALE);
  for (const { name } of stale) await sql.query(`analyze public.${quoted(name)}`);
  return stale.map(({ name }) => name);
}
