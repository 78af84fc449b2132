import type { Sql } from '../database.ts';

// an incremental sort on an index without ids reads a whole batch to find its newest
const SETTINGS = ['enable_seqscan', 'enable_bitmapscan', 'enable_incremental_sort'];

/**
 * Settings of a piece of work whose statements look into an index for each batch or group that an account has. The statistics of a
 * table that has just grown expect as many rows of each as the largest ones had, and PostgreSQL would read the whole table for each of
 * them: it must not, at any time.
 */
export const BY_INDEX = Object.fromEntries(SETTINGS.map((setting) => [setting, 'off']));

/** The same within a transaction that does other things before and after. */
export async function byIndexIn<T>(tx: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (const setting of SETTINGS) await tx.query(`set local ${setting} = off`);
  const result = await work(tx);
  for (const setting of SETTINGS) await tx.query(`set local ${setting} to default`);
  return result;
}
