import { sql } from 'kysely';
import type { RecentDownloads } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, ownJoin } from '#platform/db/tenant.ts';
import { fileIdSql } from '#platform/storage/file-url.ts';
import { type RedemptionHandle, tables } from '../tables.ts';
import type { Proven } from './proven.ts';

export interface CardRow
  extends RecentDownloads,
    Columns<'serials', 'developer_id' | 'id' | 'code' | 'download_count'>,
    Columns<'products', 'image_url' | 'install_help'> {
  product_name: string;
  revoked: boolean;
  withdrawn: boolean;
  /** The developer's name for the version of these files; null: they are not recorded as a version. */
  version: string | null;
  /** Published for the product, and the serial is not revoked. Deleting a product revokes all: that is when it is needed. */
  unlock_id: string | null;
  /** The size is null for a file elsewhere. */
  files: (FileLink & { size: number | null })[];
}

interface FileLink {
  name: string;
  url: string;
}

// each serial is looked up by its key: for a developer not yet in the statistics, all serials would be read
const cards = tables.named(
  'cards',
  (_, developerId: string, ids: readonly string[]) => sql<CardRow & { redeemed_at: Date }>`
    select s.developer_id, s.id, s.code, s.redeemed_at, s.product_name, s.image_url, s.download_count, s.customer_id,
      s.recent_downloads, s.install_help,
      coalesce(
        (select json_agg(json_build_object('name', file->>'name', 'url', file->>'url', 'size', f.size) order by n)
         from jsonb_array_elements(s.file_urls) with ordinality as listed (file, n)
           left join files f on f.developer_id = ${developerId} and f.id = ${sql.raw(fileIdSql("file->>'url'"))}), '[]') as files,
      (select v.name from file_versions v where v.developer_id = ${developerId} and v.product_id = s.product_id
         and v.files = s.file_urls order by v.created_at desc limit 1) as version,
      (select u.id from product_unlocks u where u.developer_id = ${developerId} and u.product_id = s.product_id
         and u.published_at is not null and (s.revoked_at is null or s.deleted_at is not null)) as unlock_id,
      s.revoked_at is not null or s.deleted_at is not null as revoked,
      s.revoked_at is null and s.deleted_at is not null as withdrawn
    from unnest(${ids}::uuid[]) as proven (id) cross join lateral (
      select s.*, p.id as product_id, p.name as product_name, p.image_url, p.install_help, p.file_urls, p.deleted_at
      from serials s ${ownJoin('batches as b', 'b.id', 's.batch_id')}
        ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where s.developer_id = ${developerId} and s.id = proven.id and s.redeemed_at is not null offset 0) s`,
);

/** The product cards of proven serials, newest first. */
export async function findCards(handle: Sql, proven: Proven): Promise<CardRow[]> {
  const rows = [];
  // nearly always of a single developer
  for (const [developerId, ids] of Object.entries(proven))
    if (ids.length > 0) rows.push(...(await cards(handle, developerId, ids)));
  return rows.sort((a, b) => b.redeemed_at.getTime() - a.redeemed_at.getTime() || (a.id < b.id ? 1 : -1));
}

const selectSold = (handle: RedemptionHandle, developerId: string, serialId: string) =>
  handle
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .where('s.developer_id', '=', developerId)
    .where('s.id', '=', serialId);

/** The current files of a serial's product. */
export async function findFiles(handle: RedemptionHandle, developerId: string, serialId: string): Promise<FileLink[]> {
  const row = await selectSold(handle, developerId, serialId).select('p.file_urls').executeTakeFirst();
  return row?.file_urls ?? [];
}

/** Whose serial it is, and whether its downloads are open. */
export function findOwner(handle: RedemptionHandle, developerId: string, serialId: string) {
  return selectSold(handle, developerId, serialId)
    .select(['p.name as product_name', 's.download_count', 's.customer_id', 's.recent_downloads'])
    .select(sql<boolean>`s.revoked_at is not null or p.deleted_at is not null`.as('revoked'))
    .executeTakeFirst();
}
