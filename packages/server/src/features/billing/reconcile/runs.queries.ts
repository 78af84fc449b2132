import type { InferResult } from 'kysely';
import type { BillingDb, BillingHandle } from '../tables.ts';

const selectNewest = (db: BillingDb) =>
  db
    .selectFrom('billing_reconciliations')
    .select(['ran_at', 'compared', 'differences', 'error'])
    .orderBy('ran_at', 'desc')
    .limit(1);

export type Run = InferResult<ReturnType<typeof selectNewest>>[number];

export async function saveRun(handle: BillingHandle, id: string, run: Run): Promise<void> {
  const { ran_at, compared, differences, error } = run;
  await handle.insertInto('billing_reconciliations').values({ id, ran_at, compared, differences, error }).execute();
}

/** The newest, and the newest that came to its end. */
export async function lastRuns(db: BillingDb): Promise<{ last: Run | null; finished: Run | null }> {
  const last = (await selectNewest(db).executeTakeFirst()) ?? null;
  if (last?.error === null) return { last, finished: last };
  const finished = await selectNewest(db).where('error', 'is', null).executeTakeFirst();
  return { last, finished: finished ?? null };
}

export async function forgetRuns(db: BillingDb, before: Date): Promise<void> {
  await db.deleteFrom('billing_reconciliations').where('ran_at', '<', before).execute();
}
