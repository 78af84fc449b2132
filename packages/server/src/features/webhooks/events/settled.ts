import { sql } from 'kysely';
import type { WebhooksDb } from '../tables.ts';

// The numbers of transactions are those of the server that is asked. On many machines each has its own, and the rows are elsewhere: so
// numbers are read in statements of their own, which name no table and run where transactions begin, and are compared as values.

/**
 * Every transaction that has a lower number has ended, and whatever it wrote can be read from now on.
 *
 * On many machines, one that has just ended is still telling the others to commit what they have prepared. Until then it holds the lock
 * of its own number, of which the 32 lower bits are shown.
 */
const SETTLED = sql<{ xid: number }>`
  select case when exists (select 1 from pg_extension where extname = 'citus') then least(xmin, (
    select min(xmin + ((l.transactionid::text::bigint - xmin % 4294967296 + 6442450944) % 4294967296 - 2147483648))
    from pg_locks l where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted)) else xmin end as xid
  from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin) now`;

/** Events with a lower number are settled: no earlier one can still come. It has to be read before they are. */
export async function settledBefore(db: WebhooksDb): Promise<number> {
  const { rows } = await SETTLED.execute(db);
  return (rows[0] as { xid: number }).xid;
}

/** A number that is higher than those of all transactions which have begun to write by now. */
export async function nextNumber(db: WebhooksDb): Promise<number> {
  // a number of its own: that of a snapshot doesn't count those that are running
  const { rows } = await sql<{ xid: number }>`select pg_current_xact_id()::text::bigint as xid`.execute(db);
  return (rows[0] as { xid: number }).xid;
}
