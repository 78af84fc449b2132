import { HOUR } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { uuidV7 } from '#platform/db/statements/uuid-v7.ts';

/** Downloads that a serial allows until its developer refreshes it. */
export const DOWNLOAD_LIMIT = 5;

/** So long a customer's download of one file counts once: an interrupted one is resumed, a fast one comes in segments. */
const SAME_DOWNLOAD = 6 * HOUR;

/** What a serial's row says about files that were downloaded lately. */
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
  sql: Sql,
  download: { developerId: string; serialId: string; file: { id: string; name: string }; now: Date },
): Promise<'counted' | 'begun' | 'limit_reached' | 'revoked'> {
  const [row] = await sql.query<{ revoked: boolean; begun: boolean; allowed: boolean }>(
    `with found as (
       select s.id, s.revoked_at is not null or p.deleted_at is not null as revoked,
         s.redeemed_at is not null and coalesce((s.recent_downloads->>(s.customer_id || ':' || $6))::bigint > $7, false) as begun
       from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
         join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where s.developer_id = $5 and s.id = $1 for no key update of s
     ), counted as (
       update serials s set download_count = download_count + 1, recent_downloads = coalesce(
           (select jsonb_object_agg(key, value) from jsonb_each(s.recent_downloads) where value::bigint > $7), '{}')
         || jsonb_build_object(s.customer_id || ':' || $6, $8::bigint)
       from found f
       where s.developer_id = $5 and s.id = f.id and not f.revoked and not f.begun and s.revoked_at is null
         and s.redeemed_at is not null and s.download_count < $2 returning s.id
     ), noted as (
       insert into serial_events (developer_id, id, serial_id, kind, happened_at, detail)
       select $5, ${uuidV7('$3')}, id, 'downloaded', $3, $4 from counted
     ) select f.revoked, f.begun, exists (select 1 from counted) as allowed from found f`,
    [
      download.serialId,
      DOWNLOAD_LIMIT,
      download.now,
      download.file.name,
      download.developerId,
      download.file.id,
      download.now.getTime() - SAME_DOWNLOAD,
      download.now.getTime(),
    ],
  );
  if (!row || row.revoked) return 'revoked';
  if (row.begun) return 'begun';
  return row.allowed ? 'counted' : 'limit_reached';
}
