import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { tables } from '../tables.ts';

/**
 * Keeps these accounts from being deleted until the transaction ends.
 * @param options wait: for one that is being deleted just now; otherwise it is left out.
 * @returns those that are kept.
 */
export async function holdAccounts(
  handle: Sql,
  ids: readonly string[],
  { wait }: { wait: boolean },
): Promise<string[]> {
  const held = await tables
    .in(handle)
    .selectFrom('users')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .$if(!wait, (all) => all.skipLocked())
    .execute();
  return held.map(({ id }) => id);
}
