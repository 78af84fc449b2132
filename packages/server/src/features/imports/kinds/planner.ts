import { sql } from 'kysely';
import type { ImportsHandle } from '../tables.ts';

/** Fewer rows are read again and again in no time. */
const MANY = 2_000;
/** Expected errors: another transaction's lock, no right to lock, or a table whose rows are on other machines. */
const IN_THE_WAY: ReadonlySet<unknown> = new Set(['55P03', '42501', '42P01']);

/**
 * Lets the planner count the many rows that this transaction has put into a table that had few. A vacuum before the
 * commit counts none of them, and an import that failed just before, or the check of a correction, calls for one.
 * Foreign keys and joins would then be planned for an empty table, and an index be read whole for each row. ANALYZE
 * counts the transaction's own rows, and its lock keeps vacuums away until the end. If the lock is taken, the import
 * goes on: another import holds it, which does the same.
 * @see https://www.postgresql.org/docs/current/explicit-locking.html SHARE UPDATE EXCLUSIVE
 */
export async function showPlanner(
  tx: ImportsHandle,
  developerId: string,
  table: 'batches' | 'customers' | 'serials',
  lines: number,
): Promise<void> {
  if (lines < MANY) return;
  // the part of a partitioned table that has the account
  const { rows } = await sql<{ schema: string; name: string; known: number }>`
    select c.relnamespace::regnamespace::text as schema, c.relname as name, c.reltuples as known
    from (select tableoid from ${sql.table(table)} where developer_id = ${developerId} limit 1) t join pg_class c on c.oid = t.tableoid`.execute(
    tx,
  );
  const [part] = rows;
  if (!part || part.known >= lines) return;
  const leaf = sql.table(`${part.schema}.${part.name}`);
  await sql`savepoint planner`.execute(tx);
  try {
    await sql`lock table only ${leaf} in share update exclusive mode nowait`.execute(tx);
    await sql`analyze ${leaf}`.execute(tx);
  } catch (error) {
    if (!IN_THE_WAY.has((error as { code?: unknown }).code)) throw error;
    await sql`rollback to planner`.execute(tx);
  }
  await sql`release planner`.execute(tx);
}
