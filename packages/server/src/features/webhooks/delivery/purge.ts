import type { Database } from '../../../platform/db/database.ts';
import { listOf } from '../../../platform/db/list-index.ts';
import { jobKind } from '../../../platform/jobs/job.ts';

/** Removes the deliveries of a deleted endpoint, or all that is kept of a deleted account. */
export const purgeJob = jobKind<{ accountId: string; endpointId: string | null }>({
  name: 'webhooks-purge',
  retryLimit: 12,
  retryDelay: 30,
  expireInSeconds: 3600,
});

const BATCH = 1000;

/** The job: in small transactions, so that nobody waits. A repeat goes on where it ended. */
export async function purge(
  db: Database,
  { accountId, endpointId }: { accountId: string; endpointId: string | null },
): Promise<void> {
  const some =
    endpointId === null
      ? `webhook_events x where x.developer_id = $1 and ${listOf('x', 'occurred_at')}`
      : 'webhook_deliveries x where x.developer_id = $1 and x.endpoint_id = $2';
  const table = endpointId === null ? 'webhook_events' : 'webhook_deliveries';
  const values = endpointId === null ? [accountId] : [accountId, endpointId];
  for (;;) {
    const gone = await db.query(
      `delete from ${table} y where y.developer_id = $1 and y.id = any(array(select x.id from ${some} limit ${BATCH})) returning 1`,
      values,
    );
    if (gone.length < BATCH) break;
  }
  await db.query(
    `delete from webhook_days where developer_id = $1 ${endpointId === null ? '' : 'and endpoint_id = $2'}`,
    values,
  );
}

/** Housekeeping: events with all that hangs on them, after 30 days, and listeners as soon as they have gone. */
export async function expireEvents(db: Database, { before, now }: { before: Date; now: Date }): Promise<void> {
  for (;;) {
    const gone = await db.query(
      `/* across tenants: housekeeping */ delete from webhook_events e using (
         select developer_id, id from webhook_events where occurred_at < $1 limit ${BATCH}) old
       where (e.developer_id, e.id) = (old.developer_id, old.id) returning 1`,
      [before],
    );
    if (gone.length < BATCH) break;
  }
  await db.query('/* across tenants: housekeeping */ delete from webhook_days where day < $1::date', [before]);
  await db.query('/* across tenants: housekeeping */ delete from webhook_endpoints where listens_until <= $1', [now]);
}
