import { sql } from 'kysely';
import { HOUR } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { madeIds } from '#platform/db/statements/ids-at.ts';

import { WITH_BATCH } from '../rules/rows.ts';
import { tables } from '../tables.ts';

/** Downloads that a serial allows until its developer refreshes it. */
export const DOWNLOAD_LIMIT = 5;

/** So long a customer's download of one file counts once: an interrupted one is resumed, a fast one comes in segments. */
const SAME_DOWNLOAD = 6 * HOUR;

/** The part of a serial's row about recent downloads. */
export interface RecentDownloads {
  customer_id: string | null;
  recent_downloads: Record<string, number> | null;
}

/** Whether another request for a file belongs to a download that has counted already. */
export function hasBegun({ customer_id, recent_downloads }: RecentDownloads, fileId: string, now: Date): boolean {
  const at = recent_downloads?.[`${customer_id}:${fileId}`];
  return at !== undefined && at > now.getTime() - SAME_DOWNLOAD;
}

/**
 * Counts one download of a redeemed serial, unless the same customer's of the same file has counted lately. The row is
 * locked as it is read, and all is one statement: of many simultaneous clicks no sixth gets through, and of many
 * simultaneous segments one counts.
 */
export async function countDownload(
  handle: Sql,
  {
    developerId,
    serialId,
    file,
    now,
  }: { developerId: string; serialId: string; file: { id: string; name: string }; now: Date },
): Promise<'counted' | 'begun' | 'limit_reached' | 'revoked'> {
  const lately = now.getTime() - SAME_DOWNLOAD;
  const key = sql`(s.customer_id || ':' || ${file.id}::text)`;
  const {
    rows: [row],
  } = await sql<{ revoked: boolean; begun: boolean; allowed: boolean }>`
    with found as materialized (select * from (
      select s.id, s.revoked_at is not null or p.deleted_at is not null as revoked,
        s.redeemed_at is not null and coalesce((s.recent_downloads->>${key})::bigint > ${lately}::bigint, false) as begun
      from serials s ${WITH_BATCH} where s.developer_id = ${developerId} and s.id = ${serialId} for no key update of s) locked
    ), counted as (
      update serials s set download_count = download_count + 1, recent_downloads = jsonb_set(coalesce(s.recent_downloads
          - array(select e.key from jsonb_each(s.recent_downloads) e where e.value::bigint <= ${lately}::bigint), '{}'),
        array[${key}], ${String(now.getTime())}::text::jsonb)
      from found f
      where s.developer_id = ${developerId} and s.id = f.id and not f.revoked and not f.begun and s.revoked_at is null
        and s.redeemed_at is not null and s.download_count < ${sql.lit(DOWNLOAD_LIMIT)} returning s.id
    ), noted as (
      insert into serial_events (developer_id, id, serial_id, kind, happened_at, detail)
      select own.developer_id, ${madeIds(now, sql`own.id::text || 'downloaded'`)}, own.id, 'downloaded', ${now}::timestamptz, ${file.name}::text
      from counted join serials own on own.developer_id = ${developerId}::uuid and own.id = counted.id
    ) select f.revoked, f.begun, exists (select 1 from counted) as allowed from found f`.execute(tables.in(handle));
  if (!row || row.revoked) return 'revoked';
  if (row.begun) return 'begun';
  return row.allowed ? 'counted' : 'limit_reached';
}
