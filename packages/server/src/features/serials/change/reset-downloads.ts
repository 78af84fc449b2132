import { sql } from 'kysely';
import { recordWebhooks, wantsWebhook } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import { tables } from '../tables.ts';
import { among, noted, serialFactsOf } from './revoke.ts';

interface Reset {
  developerId: string;
  ids: string[];
  now: Date;
}

/**
 * Sets download counts back to 0, in the caller's transaction.
 * @returns the serials that had downloads: what is to be charged.
 */
export async function resetDownloads(handle: Sql, { developerId, ids, now }: Reset): Promise<string[]> {
  const { rows } = await sql<Columns<'serials', 'id'>>`
    with changed as (
      update serials s set download_count = 0, recent_downloads = null
      from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where ${among(developerId, ids)} and ${ownMatch('b.id', 's.batch_id')} and p.deleted_at is null
        and s.download_count > 0
      returning s.id, s.batch_id
    ), ${noted('refreshed', { developerId, now })}
    select id from changed`.execute(tables.in(handle));
  return rows.map(({ id }) => id);
}

/**
 * Lets webhooks know of download counts that were set back, in the transaction that charges for them.
 * @param cents what each of them cost.
 */
export async function notifyRefreshed(handle: Sql, { developerId, ids, now }: Reset, cents: number): Promise<void> {
  const type = 'serial.refreshed';
  if (!(await wantsWebhook(handle, developerId, type))) return;
  const serials = await serialFactsOf(handle, developerId, ids);
  const data = { cost: toDollars(cents), refreshed_at: now };
  await recordWebhooks(
    handle,
    developerId,
    serials.map((serial) => ({ type, at: now, data: { ...serial, ...data } })),
  );
}
