import type { Clock } from '#platform/clock.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';
import type { Keep } from '#platform/events.ts';
import { notificationOf } from './notification-of.ts';

const LONGEST = 300;

/** Keeps a published event that is worth a notice, in the transaction that makes it true. Most events are not, and cost nothing. */
export const keepNotification =
  (clock: Clock): Keep =>
  async (sql, accountIds, event) => {
    const notice = notificationOf(event);
    if (!notice) return;
    await sql.query(
      `insert into notices (account_id, id, at, kind, title, detail, object_id)
       select account_id, ${uuidV7('$2')}, $2::timestamptz, $3::text, $4::text, $5::text, $6::uuid
       from unnest($1::uuid[]) as accounts (account_id)`,
      [
        accountIds,
        clock.now(),
        notice.kind,
        notice.title.slice(0, LONGEST),
        notice.detail.slice(0, LONGEST),
        notice.objectId,
      ],
    );
  };
