import { sql } from 'kysely';
import type { Clock } from '#platform/clock.ts';
import { uuidV7Of } from '#platform/db/statements/uuid-v7.ts';
import type { Keep } from '#platform/events.ts';
import { notificationOf } from './notification-of.ts';
import { tables } from './tables.ts';

const LONGEST = 300;

/** Keeps a published event that is worth a notification, in the transaction that makes it true. Most events are not, and cost nothing. */
export const keepNotification =
  (clock: Clock): Keep =>
  async (handle, accountIds, event) => {
    const notification = notificationOf(event);
    if (!notification || accountIds.length === 0) return;
    const at = clock.now();
    const { kind, title, detail, objectId } = notification;
    await tables
      .in(handle)
      .insertInto('notices')
      .values(
        accountIds.map((accountId) => ({
          account_id: accountId,
          id: uuidV7Of(sql`${at}::timestamptz`),
          at,
          kind,
          title: title.slice(0, LONGEST),
          detail: detail.slice(0, LONGEST),
          object_id: objectId,
        })),
      )
      .execute();
  };
