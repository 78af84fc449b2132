import { type RawBuilder, sql } from 'kysely';
import { handedOnSince, type RecentDownloads } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { Begins } from '#platform/db/handle.ts';
import type { Tables } from '#platform/db/tables.ts';
import { acrossTenants, joinOwn, joinShared, leftJoinOwn } from '#platform/db/tenant.ts';
import { fileIdSql } from '#platform/storage/file-url.ts';
import { type RedemptionHandle, tables } from './tables.ts';

/** Serials with what decides whether they can be redeemed. */
const selectFound = (begin: Begins<Tables, never>) =>
  begin
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .$call(joinShared('users as u', 'u.id', 's.developer_id'))
    .$call(leftJoinOwn('customers as c', 'c.id', 's.customer_id'))
    .select(['s.id', 's.developer_id', 'b.product_id', 's.code', 's.revoked_at', 's.redeemed_at'])
    .select(['b.promo_start', 'b.expires_at', 'p.is_draft', 'u.time_zone', 'c.email_key as owner_email_key'])
    .select(sql<boolean>`p.deleted_at is not null`.as('product_deleted'))
    .select(sql<boolean>`u.deleted_at is not null`.as('developer_deleted'));

/** At most two serials with a code. Those that can be redeemed or opened first. */
const selectByCode = (begin: Begins<Tables, never>, codeKey: string) =>
  selectFound(begin)
    .where('s.code_key', '=', codeKey)
    .orderBy(sql`u.deleted_at is not null and s.redeemed_at is null`)
    .limit(2);

const byCode = tables.named('by_code', (begin, codeKey: string) =>
  selectByCode(begin, codeKey).modifyEnd(acrossTenants('a code may be all that a customer has')),
);
const byCodeOf = tables.named('by_code_of', (begin, codeKey: string, developerId: string) =>
  selectByCode(begin, codeKey).where('s.developer_id', '=', developerId),
);
const byId = tables.named('by_id', (begin, developerId: string, id: string) =>
  selectFound(begin).where('s.developer_id', '=', developerId).where('s.id', '=', id),
);

export type FoundSerial = Awaited<ReturnType<typeof byId>>[number];

/** At most two: more than one means that the code alone does not identify a serial. */
export function findByCode(handle: Sql, codeKey: string, developerId: string | null): Promise<FoundSerial[]> {
  return developerId === null ? byCode(handle, codeKey) : byCodeOf(handle, codeKey, developerId);
}

export async function findById(handle: Sql, developerId: string, id: string): Promise<FoundSerial | undefined> {
  return (await byId(handle, developerId, id))[0];
}

/** Serials that were proven with a code or a link, by their developers. */
export type Proven = Record<string, string[]>;

const listed = (proven: Proven) =>
  Object.entries(proven).flatMap(([developerId, ids]) => ids.map((id) => ({ developerId, id })));

/** A relation with the developer and the id of each serial. The serials have to be bound by `developer_id` besides. */
export function pairsOf(proven: Proven): RawBuilder<unknown> {
  const pairs = listed(proven);
  return sql`unnest(${pairs.map((pair) => pair.developerId)}::uuid[], ${pairs.map((pair) => pair.id)}::uuid[])`;
}

/** What was proven at a moment, without what was given to another customer since. */
export async function stillProven(handle: Sql, proven: Proven, at: Date): Promise<Proven> {
  const lost = new Set((await handedOnSince(handle, listed(proven), at)).map(({ id }) => id));
  if (lost.size === 0) return proven;
  return Object.fromEntries(Object.entries(proven).map(([dev, ids]) => [dev, ids.filter((id) => !lost.has(id))]));
}

export interface CardRow extends RecentDownloads {
  developer_id: string;
  id: string;
  code: string;
  product_name: string;
  image_url: string | null;
  revoked: boolean;
  withdrawn: boolean;
  download_count: number;
  install_help: string;
  /** What the developer calls the version of these files; null: they are not recorded as one. */
  version: string | null;
  /** The size is null for a file elsewhere. */
  files: (FileLink & { size: number | null })[];
}

interface FileLink {
  name: string;
  url: string;
}

// each serial is looked up by its key: of a developer whom the statistics don't know yet, all serials would be read
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
      s.revoked_at is not null or s.deleted_at is not null as revoked,
      s.revoked_at is null and s.deleted_at is not null as withdrawn
    from unnest(${ids}::uuid[]) as proven (id) cross join lateral (
      select s.*, p.id as product_id, p.name as product_name, p.image_url, p.install_help, p.file_urls, p.deleted_at
      from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
        join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      where s.developer_id = ${developerId} and s.id = proven.id and s.redeemed_at is not null offset 0) s`,
);

/** What proven serials open, the newest first. */
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

/** What the product of a serial has now. */
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
