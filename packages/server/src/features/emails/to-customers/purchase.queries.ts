import { CAME, PROVEN } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import { fileIdSql } from '#platform/storage/file-url.ts';
import type { Language } from '#platform/text/languages.ts';
import type { Purchase, Reader } from './customer-emails.ts';

interface Key {
  developerId: string;
  customerId: string;
  email: string;
}

/** A reader, and how well we know that they are one. @see CAME, PROVEN */
export interface KnownReader extends Reader {
  came: boolean;
  proven: boolean;
}

/** A plugin that redeems sends no name and no language, but an earlier redemption may have. */
export async function findReader(sql: Sql, { developerId, customerId, email }: Key): Promise<KnownReader> {
  const [row] = await sql.query<{ name: string; language: Language | null; came: boolean; proven: boolean }>(
    `select concat_ws(' ', first_name, last_name) as name, language, ${CAME} as came, ${PROVEN} as proven
     from customers c where developer_id = $1 and id = $2`,
    [developerId, customerId],
  );
  const { name = '', language = null, came = false, proven = false } = row ?? {};
  return { email, name: name || null, language, came, proven };
}

/** The newest serials of a customer. */
export async function findOwnedIds(sql: Sql, developerId: string, customerId: string, most: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from serials where developer_id = $1 and customer_id = $2 and redeemed_at is not null
     order by redeemed_at desc, id desc limit $3`,
    [developerId, customerId, most],
  );
  return rows.map(({ id }) => id);
}

/** What an example is made of. */
export async function findNewestProduct(
  sql: Sql,
  developerId: string,
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await sql.query<{ id: string; name: string }>(
    `select id, name from products where developer_id = $1 and deleted_at is null and not is_draft
     order by created_at desc, id desc limit 1`,
    [developerId],
  );
  return row;
}

/** The product's picture, and its files with the sizes of those that are in our own storage. */
export async function findPurchase(
  sql: Sql,
  { developerId, productId }: { developerId: string; productId: string },
): Promise<Pick<Purchase, 'files' | 'version'> & { imageUrl: string | null }> {
  const [row] = await sql.query<{ image_url: string | null; version: string | null; files: Purchase['files'] }>(
    `select p.image_url,
       (select v.name from file_versions v where v.developer_id = p.developer_id and v.product_id = p.id
          and v.files = p.file_urls order by v.created_at desc limit 1) as version, coalesce(
       (select json_agg(json_build_object('name', file->>'name', 'size', f.size) order by n)
        from jsonb_array_elements(p.file_urls) with ordinality as listed (file, n)
          left join files f on f.developer_id = p.developer_id and f.id = ${fileIdSql("file->>'url'")}), '[]') as files
     from products p where p.developer_id = $1 and p.id = $2`,
    [developerId, productId],
  );
  return { imageUrl: row?.image_url ?? null, version: row?.version ?? null, files: row?.files ?? [] };
}
