import type pg from 'pg';
import { partitionCount } from './mark.ts';

/** The first statement of a transaction on a connection for which {@link planOnce} answered true. */
export const PLAN_EACH = 'set local plan_cache_mode = auto';

/**
 * Has a connection plan each named statement once, where tables have partitions. PostgreSQL would plan each call anew: it expects a plan
 * without arguments to read every partition, and doesn't count that all but those of the arguments are left out when it begins to run.
 * Such a plan locks every partition of its tables, which is little for a statement that reads, and much for a transaction.
 * @returns whether it does so from here on
 */
export async function planOnce(client: pg.ClientBase): Promise<boolean> {
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await client.query<Row>(text, values as unknown[])).rows;
  if ((await partitionCount({ query })) === 0) return false;
  await client.query('set plan_cache_mode = force_generic_plan');
  return true;
}
