import { type Expression, type SqlBool, sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { WebhooksDb, WebhooksHandle } from '../tables.ts';

/** Removes the deliveries of a deleted endpoint, or all that is kept of a deleted account. */
export const purgeJob = jobKind<{ accountId: string; endpointId: string | null }>({
  name: 'webhooks-purge',
  retryLimit: 12,
  retryDelay: 30,
  expireInSeconds: 3600,
});

const BATCH = 1000;
/** The most expired events that are looked for at once, in all accounts together. */
const LOOKED_FOR = 10 * BATCH;

const among = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`;

/**
 * Deletes the attempts of deliveries that were deleted: afterwards, so that one which was being written in the meantime is among
 * them.
 */
async function deleteAttempts(
  tx: WebhooksHandle,
  accountId: string,
  deleted: readonly { id: string }[],
): Promise<void> {
  await tx
    .deleteFrom('webhook_attempts')
    .where('developer_id', '=', accountId)
    .where('delivery_id', '=', among(deleted.map(({ id }) => id)))
    .execute();
}

/**
 * Deletes some events of an account with all that hangs on them, in a transaction of its own, so that nobody waits. It
 * locks the events first, in the same way as the erasure of personal data does.
 * @returns how many there were.
 */
const deleteEvents = (db: WebhooksDb, accountId: string, which: Expression<SqlBool>): Promise<number> =>
  db.work({ tx: true }, async (tx) => {
    const held = await tx
      .selectFrom('webhook_events')
      .select('id')
      .where('developer_id', '=', accountId)
      .where(which)
      .limit(BATCH)
      .forUpdate()
      .execute();
    const ids = held.map(({ id }) => id);
    const deleted = await tx
      .deleteFrom('webhook_deliveries')
      .where('developer_id', '=', accountId)
      .where('event_id', '=', among(ids))
      .returning('id')
      .execute();
    await deleteAttempts(tx, accountId, deleted);
    await tx.deleteFrom('webhook_events').where('developer_id', '=', accountId).where('id', '=', among(ids)).execute();
    return held.length;
  });

/** Deletes some deliveries of an endpoint. @returns how many there were. */
const deleteDeliveries = (db: WebhooksDb, accountId: string, endpointId: string): Promise<number> =>
  db.work({ tx: true }, async (tx) => {
    const some = await tx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('developer_id', '=', accountId)
      .where('endpoint_id', '=', endpointId)
      .limit(BATCH)
      .execute();
    const deleted = await tx
      .deleteFrom('webhook_deliveries')
      .where('developer_id', '=', accountId)
      .where('id', '=', among(some.map(({ id }) => id)))
      .returning('id')
      .execute();
    await deleteAttempts(tx, accountId, deleted);
    return some.length;
  });

/** The job: in small transactions, so nobody waits. A repeat continues where it ended. */
export async function purge(
  db: WebhooksDb,
  { accountId, endpointId }: { accountId: string; endpointId: string | null },
): Promise<void> {
  const some = () =>
    endpointId === null
      ? deleteEvents(db, accountId, inList('occurred_at'))
      : deleteDeliveries(db, accountId, endpointId);
  while ((await some()) === BATCH);
  await db
    .deleteFrom('webhook_days')
    .where('developer_id', '=', accountId)
    .$if(endpointId !== null, (days) => days.where('endpoint_id', '=', endpointId as string))
    .execute();
}

/** Housekeeping: events with all that hangs on them, after 30 days, and listeners as soon as they have gone. */
export async function expireEvents(db: WebhooksDb, { before, now }: { before: Date; now: Date }): Promise<void> {
  for (let found = LOOKED_FOR; found === LOOKED_FOR; ) {
    const old = await db
      .selectFrom('webhook_events')
      .select(['developer_id', 'id'])
      .where('occurred_at', '<', before)
      .limit(LOOKED_FOR)
      .modifyEnd(acrossTenants('housekeeping'))
      .execute();
    // account by account: what is of one can be held and deleted together, wherever it is kept
    for (const [accountId, own] of Map.groupBy(old, ({ developer_id }) => developer_id)) {
      const ids = own.map(({ id }) => id);
      for (let from = 0; from < ids.length; from += BATCH)
        await deleteEvents(db, accountId, sql<boolean>`id = ${among(ids.slice(from, from + BATCH))}`);
    }
    found = old.length;
  }
  await db
    .deleteFrom('webhook_days')
    .where('day', '<', sql<string>`${before}::date`)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
  await db
    .deleteFrom('webhook_endpoints')
    .where('listens_until', '<=', now)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}
