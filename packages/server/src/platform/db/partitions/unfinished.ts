import type { Logger } from '#platform/log.ts';
import type { Sql } from '../sql.ts';
import { CAPTURE } from './capture.ts';
import { partitionCount } from './mark.ts';
import { PARTITIONING_LOCK } from './names.ts';

/** Whether a run is at work, which holds its lock until its end. */
const UNDERWAY = `exists (
  select 1 from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and l.granted and d.datname = current_database()
    and (l.classid::bigint << 32) + l.objid::bigint = ${PARTITIONING_LOCK})`;

/** The tables whose changes are still noted for a run of `partition` that is over. */
export async function unfinished(sql: Sql): Promise<string[]> {
  const noted = await sql.query<{ name: string }>(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = $1 and not ${UNDERWAY} order by 1`,
    [CAPTURE],
  );
  return noted.map(({ name }) => name);
}

/** The number of partitions that a run was about to make when it was stopped; 0: none was, or it is at work. */
export async function stoppedRun(sql: Sql): Promise<number> {
  if ((await partitionCount(sql)) > 0) return 0;
  const [found] = await sql.query<{ n: number }>(
    `select count(*)::int as n from pg_namespace where nspname ~ '^partition_[0-9]+$' and not ${UNDERWAY}`,
  );
  return found?.n ?? 0;
}

/** A run that was killed costs every write of a table until the next one. */
export async function warnOfUnfinished(sql: Sql, log: Pick<Logger, 'warn'>): Promise<void> {
  const tables = await unfinished(sql);
  if (tables.length > 0)
    log.warn(
      { tables },
      'tonerow-server partition was stopped: until it runs again, changes of these tables are noted for nothing',
    );
}
