import { handedOnSince, type RecentDownloads, type SerialState } from '#features/serials';
import type { Database, Prepared, Sql } from '#platform/db/database.ts';
import { fileIdSql } from '#platform/storage/file-url.ts';

export interface FoundSerial extends SerialState {
  id: string;
  developer_id: string;
  product_id: string;
  code: string;
  owner_email_key: string | null;
  /** The developer's. */
  time_zone: string;
}

const BY_CODE: Prepared = {
  name: 'redeem_by_code',
  text: `select s.id, s.developer_id, b.product_id, s.code, s.revoked_at, s.redeemed_at, b.promo_start, b.expires_at,
      p.is_draft, p.deleted_at is not null as product_deleted, u.deleted_at is not null as developer_deleted,
      u.time_zone, c.email_key as owner_email_key
    from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      join users u on u.id = s.developer_id left join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
    where s.code_key = $1 and ($2::uuid is null or s.developer_id = $2)
    -- those that can be redeemed or opened first
    order by u.deleted_at is not null and s.redeemed_at is null limit 2 /* across tenants: a code may be all that a customer has */`,
};

/** At most two: more than one means that the code alone does not identify a serial. */
export async function findByCode(db: Database, codeKey: string, developerId: string | null): Promise<FoundSerial[]> {
  return db.prepared<FoundSerial>(BY_CODE, [codeKey, developerId]);
}

export async function findById(sql: Sql, developerId: string, id: string): Promise<FoundSerial | undefined> {
  const rows = await sql.query<FoundSerial>(
    `select s.id, s.developer_id, b.product_id, s.code, s.revoked_at, s.redeemed_at, b.promo_start, b.expires_at,
      p.is_draft, p.deleted_at is not null as product_deleted, u.deleted_at is not null as developer_deleted,
      u.time_zone, c.email_key as owner_email_key
     from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      join users u on u.id = s.developer_id left join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id) where s.developer_id = $1 and s.id = $2`,
    [developerId, id],
  );
  return rows[0];
}

/** Serials that were proven with a code or a link, by their developers. */
export type Proven = Record<string, string[]>;

/** What was proven at a moment, without what was given to another customer since. */
export async function stillProven(sql: Sql, proven: Proven, at: Date): Promise<Proven> {
  const pairs = Object.entries(proven).flatMap(([developerId, ids]) => ids.map((id) => ({ developerId, id })));
  const lost = new Set((await handedOnSince(sql, pairs, at)).map(({ id }) => id));
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

export async function findCards(sql: Sql, proven: Proven): Promise<CardRow[]> {
  const pairs = Object.entries(proven).flatMap(([developerId, ids]) => ids.map((id) => [developerId, id]));
  return sql.query<CardRow>(
    `select s.developer_id, s.id, s.code, p.name as product_name, p.image_url, s.download_count, s.customer_id, s.recent_downloads, p.install_help,
       coalesce(
         (select json_agg(json_build_object('name', file->>'name', 'url', file->>'url', 'size', f.size) order by n)
          from jsonb_array_elements(p.file_urls) with ordinality as listed (file, n)
            left join files f on f.developer_id = p.developer_id and f.id = ${fileIdSql("file->>'url'")}), '[]') as files,
       (select v.name from file_versions v where v.developer_id = p.developer_id and v.product_id = p.id
          and v.files = p.file_urls order by v.created_at desc limit 1) as version,
       s.revoked_at is not null or p.deleted_at is not null as revoked,
       s.revoked_at is null and p.deleted_at is not null as withdrawn
     from unnest($1::uuid[], $2::uuid[]) as proven (developer_id, id)
       join serials s on (s.developer_id, s.id) = (proven.developer_id, proven.id)
       join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
       join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where s.redeemed_at is not null order by s.redeemed_at desc, s.id desc`,
    [pairs.map(([developerId]) => developerId), pairs.map(([, id]) => id)],
  );
}

/** What the product of a serial has now. */
export async function findFiles(sql: Sql, developerId: string, serialId: string): Promise<FileLink[]> {
  const rows = await sql.query<{ file_urls: FileLink[] }>(
    `select p.file_urls from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where s.developer_id = $1 and s.id = $2`,
    [developerId, serialId],
  );
  return rows[0]?.file_urls ?? [];
}

export interface OwnerRow extends RecentDownloads {
  product_name: string;
  download_count: number;
  revoked: boolean;
}

/** Whose serial it is, and whether its downloads are open. */
export async function findOwner(sql: Sql, developerId: string, serialId: string): Promise<OwnerRow | undefined> {
  const rows = await sql.query<OwnerRow>(
    `select p.name as product_name, s.download_count, s.customer_id, s.recent_downloads,
       s.revoked_at is not null or p.deleted_at is not null as revoked
     from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
       join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where s.developer_id = $1 and s.id = $2`,
    [developerId, serialId],
  );
  return rows[0];
}

/** Ends a redemption that was started. */
export async function forgetTickets(sql: Sql, person: { developerId: string; customerId: string }): Promise<void> {
  await sql.query(
    `delete from redeem_tickets where developer_id = $1
       and serial_id in (select id from serials where developer_id = $1 and customer_id = $2)`,
    [person.developerId, person.customerId],
  );
}
