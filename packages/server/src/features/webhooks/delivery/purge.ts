import type { Database, Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { jobKind } from '#platform/jobs/job.ts';

/** Removes the deliveries of a deleted endpoint, or all that is kept of a deleted account. */
export const purgeJob = jobKind<{ accountId: string; endpointId: string | null }>({
  name: 'webhooks-purge',
  retryLimit: 12,
  retryDelay: 30,
  expireInSeconds: 3600,
});

const BATCH = 1000;

interface Key {
  developer_id: string;
  id: string;
}

const keysOf = (rows: readonly Key[]) => [rows.map((row) => row.developer_id), rows.map(({ id }) => id)];

/**
 * Deletes some deliveries with their attempts: these afterwards, so that one which was being written in the meantime is among
 * them.
 */
async function deleteDeliveries(sql: Sql, which: string, values: readonly unknown[]): Promise<number> {
  const gone = await sql.query<Key>(
    `delete from webhook_deliveries d using (${which}) old
     where (d.developer_id, d.id) = (old.developer_id, old.id) returning d.developer_id, d.id`,
    values,
  );
  await sql.query(
    `delete from webhook_attempts a using unnest($1::uuid[], $2::uuid[]) as d (developer_id, id)
     where (a.developer_id, a.delivery_id) = (d.developer_id, d.id)`,
    keysOf(gone),
  );
  return gone.length;
}

/** Deletes some events with all that hangs on them, in small transactions, so that nobody waits. */
async function deleteEvents(db: Database, which: string, values: readonly unknown[]): Promise<void> {
  const some = () =>
    db.rowTransaction(async (sql) => {
      const old = await sql.query<Key>(`${which} limit ${BATCH} for update`, values);
      await deleteDeliveries(
        sql,
        `select d.developer_id, d.id from webhook_deliveries d join unnest($1::uuid[], $2::uuid[]) as e (developer_id, id)
         on (d.developer_id, d.event_id) = (e.developer_id, e.id)`,
        keysOf(old),
      );
      await sql.query(
        `delete from webhook_events e using unnest($1::uuid[], $2::uuid[]) as old (developer_id, id)
         where (e.developer_id, e.id) = (old.developer_id, old.id)`,
        keysOf(old),
      );
      return old.length;
    });
  while ((await some()) === BATCH);
}

/** The job: in small transactions, so that nobody waits. A repeat goes on where it ended. */
export async function purge(
  db: Database,
  { accountId, endpointId }: { accountId: string; endpointId: string | null },
): Promise<void> {
  const values = endpointId === null ? [accountId] : [accountId, endpointId];
  if (endpointId === null)
    await deleteEvents(
      db,
      `select x.developer_id, x.id from webhook_events x where x.developer_id = $1 and ${listOf('x', 'occurred_at')}`,
      values,
    );
  else {
    const which = `select x.developer_id, x.id from webhook_deliveries x
      where x.developer_id = $1 and x.endpoint_id = $2 limit ${BATCH}`;
    while ((await db.rowTransaction((sql) => deleteDeliveries(sql, which, values))) === BATCH);
  }
  await db.query(
    `delete from webhook_days where developer_id = $1 ${endpointId === null ? '' : 'and endpoint_id = $2'}`,
    values,
  );
}

/** Housekeeping: events with all that hangs on them, after 30 days, and listeners as soon as they have gone. */
export async function expireEvents(db: Database, { before, now }: { before: Date; now: Date }): Promise<void> {
  await deleteEvents(
    db,
    '/* across tenants: housekeeping */ select developer_id, id from webhook_events where occurred_at < $1',
    [before],
  );
  await db.query('/* across tenants: housekeeping */ delete from webhook_days where day < $1::date', [before]);
  await db.query('/* across tenants: housekeeping */ delete from webhook_endpoints where listens_until <= $1', [now]);
}
