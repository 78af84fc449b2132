import type { Logger } from '#platform/log.ts';
import type { Sql } from '../sql.ts';
import { CAPTURE } from './capture.ts';
import { PARTITIONING_LOCK } from './names.ts';

/** The tables whose changes are still noted for a run of `partition` that is over. */
export async function unfinished(sql: Sql): Promise<string[]> {
  const noted = await sql.query<{ name: string }>(
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = $1 and not exists (
       select 1 from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.granted and d.datname = current_database()
         and (l.classid::bigint << 32) + l.objid::bigint = $2)
     order by 1`,
    [CAPTURE, PARTITIONING_LOCK],
  );
  return noted.map(({ name }) => name);
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
