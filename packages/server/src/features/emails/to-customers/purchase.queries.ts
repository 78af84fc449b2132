import { sql } from 'kysely';
import { hasRedeemed, isProven } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { fileIdSql } from '#platform/storage/file-url.ts';
import { type EmailsDb, tables } from '../tables.ts';
import type { Purchase, Reader } from './customer-emails.ts';

interface Key {
  developerId: string;
  customerId: string;
  email: string;
}

/** A reader, and how well we know that they are one. @see hasRedeemed, isProven */
export interface KnownReader extends Reader {
  came: boolean;
  proven: boolean;
}

const reader = tables.named('reader', (begin, developerId: string, customerId: string) =>
  begin
    .selectFrom('customers as c')
    .select(sql<string>`concat_ws(' ', c.first_name, c.last_name)`.as('name'))
    .select(['c.language', hasRedeemed('c').as('came'), isProven('c').as('proven')])
    .where('c.developer_id', '=', developerId)
    .where('c.id', '=', customerId),
);

/** A plugin that redeems sends no name and no language, but an earlier redemption may have. */
export async function findReader(handle: Sql, { developerId, customerId, email }: Key): Promise<KnownReader> {
  const [row] = await reader(handle, developerId, customerId);
  const known = row ?? { name: '', language: null, came: false, proven: false };
  return { ...known, email, name: known.name || null };
}

/** The newest serials of a customer. */
export async function findOwnedIds(
  handle: Sql,
  developerId: string,
  customerId: string,
  most: number,
): Promise<string[]> {
  const rows = await tables
    .in(handle)
    .selectFrom('serials')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('customer_id', '=', customerId)
    .where('redeemed_at', 'is not', null)
    .orderBy('redeemed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** The newest product, from which an example is made. */
export function findNewestProduct(
  db: EmailsDb,
  developerId: string,
): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('developer_id', '=', developerId)
    .where('deleted_at', 'is', null)
    .where('is_draft', 'is', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface PurchaseRow extends Columns<'products', 'image_url'> {
  version: string | null;
  files: Purchase['files'];
}

const purchase = tables.named(
  'purchase',
  (_, developerId: string, productId: string) => sql<PurchaseRow>`
    select p.image_url,
      (select v.name from file_versions v where v.developer_id = ${developerId} and v.product_id = p.id
         and v.files = p.file_urls order by v.created_at desc limit 1) as version, coalesce(
      (select json_agg(json_build_object('name', file->>'name', 'size', f.size) order by n)
       from jsonb_array_elements(p.file_urls) with ordinality as listed (file, n)
         left join files f on f.developer_id = ${developerId} and f.id = ${sql.raw(fileIdSql("file->>'url'"))}), '[]') as files
    from products p where p.developer_id = ${developerId} and p.id = ${productId}`,
);

/** The product's picture, and its files with the sizes of those that are in our own storage. */
export async function findPurchase(
  handle: Sql,
  { developerId, productId }: { developerId: string; productId: string },
): Promise<Pick<Purchase, 'files' | 'version'> & { imageUrl: string | null }> {
  const [row] = await purchase(handle, developerId, productId);
  return { imageUrl: row?.image_url ?? null, version: row?.version ?? null, files: row?.files ?? [] };
}
