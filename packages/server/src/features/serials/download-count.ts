import type { Sql } from '../../platform/db/database.ts';
import { uuidV7 } from '../../platform/db/uuid-v7.ts';

/** Downloads that a serial allows until its developer refreshes it. */
export const DOWNLOAD_LIMIT = 5;

/**
 * Counts one download of a redeemed serial. The count and its limit are one statement, so that of many simultaneous clicks
 * no sixth gets through.
 */
export async function countDownload(
  sql: Sql,
  download: { developerId: string; serialId: string; file: string; now: Date },
): Promise<'counted' | 'limit_reached' | 'revoked'> {
  const [row] = await sql.query<{ revoked: boolean; allowed: boolean }>(
    `with found as (
       select s.id, s.revoked_at is not null or p.deleted_at is not null as revoked
       from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
         join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where s.developer_id = $5 and s.id = $1
     ), counted as (
       update serials s set download_count = download_count + 1 from found f
       where s.developer_id = $5 and s.id = f.id and not f.revoked and s.revoked_at is null and s.redeemed_at is not null
         and s.download_count < $2 returning s.id
     ), noted as (
       insert into serial_events (developer_id, id, serial_id, kind, happened_at, detail)
       select $5, ${uuidV7('$3')}, id, 'downloaded', $3, $4 from counted
     ) select f.revoked, exists (select 1 from counted) as allowed from found f`,
    [download.serialId, DOWNLOAD_LIMIT, download.now, download.file, download.developerId],
  );
  if (!row || row.revoked) return 'revoked';
  return row.allowed ? 'counted' : 'limit_reached';
}
