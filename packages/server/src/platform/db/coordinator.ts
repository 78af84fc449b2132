import { StartupError } from '../errors.ts';
import type { Sql } from './sql.ts';

/**
 * Refuses a worker of a Citus cluster, which may answer statements as its coordinator does. Locks by name, the numbers of transactions,
 * NOTIFY and the job queue are one server's: processes that connect to two of them would not know of each other.
 * @throws {StartupError}
 */
export async function refuseWorker(sql: Sql): Promise<void> {
  const [citus] = await sql.query<{ known: boolean }>("select to_regclass('pg_dist_local_group') is not null as known");
  if (!citus?.known) return;
  // citus_is_coordinator() is false as long as no machine is registered
  const workers = await sql.query('select 1 from pg_dist_local_group where groupid <> 0');
  if (workers.length === 0) return;
  throw new StartupError(
    'DATABASE_URL leads to a worker of a Citus cluster. Every process connects to the coordinator: see "One coordinator" in docs/scaling.md.',
  );
}
