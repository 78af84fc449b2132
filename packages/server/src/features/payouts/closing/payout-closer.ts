import { sql } from 'kysely';
import type { MonthCloser } from '#features/closing';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { numberSeries } from '#platform/operations/restores.ts';
import { statementsMadeJob } from '../emails/statement-emails.service.ts';
import { notifyPayoutsCreated } from '../payout-webhooks.ts';
import { type PayoutsHandle, tables } from '../tables.ts';
import { type Closed, closeStatements } from './close-statements.ts';

/** Seconds. Redemptions of a developer wait while a month is closed; nobody waits for a seal or an email. */
const AFTER_THE_OTHERS = 5;

/** Makes the payout statements of a month, and what announces them. */
export const payoutCloser =
  (jobs: Jobs): MonthCloser =>
  async (tx, { developerIds, month, now, more }) => {
    const handle = tables.in(tx);
    const partners = await withPartners(handle, developerIds);
    if (partners.length === 0) return new Map();
    const series = await numberSeries(tx);
    const closed = new Map<string, Closed>();
    // one after the other: what a developer's close locks is on one machine
    for (const developerId of partners) {
      const made = await closeStatements(handle, { developerId, month, now, series });
      if (made) closed.set(developerId, made);
    }
    const made = [...closed.keys()];
    await notifyPayoutsCreated(handle, made, month, now);
    const announced = made.map((developerId) => ({ developerId, month }));
    await jobs.enqueueAll(handle, statementsMadeJob, announced, { delay: more ? AFTER_THE_OTHERS : 0 });
    return new Map([...closed].map(([id, { statements, credit }]) => [id, { made: statements, opensNext: credit }]));
  };

/** Most developers have no resellers, and what makes statements is a large query. In one order, as it locks. */
async function withPartners(handle: PayoutsHandle, developerIds: readonly string[]): Promise<string[]> {
  const rows = await handle
    .selectFrom('partnerships')
    .select('developer_id')
    .distinct()
    .where('developer_id', '=', sql<string>`any(${developerIds}::uuid[])`)
    .where(inList('created_at'))
    .orderBy('developer_id')
    .execute();
  return rows.map(({ developer_id }) => developer_id);
}
