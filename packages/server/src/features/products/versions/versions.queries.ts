import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { joinOwn, leftJoinOwn } from '#platform/db/tenant.ts';
import { json } from '#platform/db/work.ts';
import type { FileLink } from '../products.entity.ts';
import { type ProductsHandle, tables } from '../tables.ts';

export type VersionRow = Awaited<ReturnType<typeof versionsOf>>[number];

/** The versions of a product, newest first, each with the emails about it. */
export function versionsOf(handle: Sql, developerId: string, productId: string) {
  return tables
    .in(handle)
    .selectFrom('file_versions as v')
    .$call(joinOwn('products as p', 'p.id', 'v.product_id'))
    .$call(leftJoinOwn('version_emails as e', 'e.id', 'v.id'))
    .select(['v.id', 'v.product_id', 'v.name', 'v.files', 'v.notes', 'v.created_at'])
    .select(['e.started_at', 'e.ended_at', 'e.told', 'e.expected'])
    .select(sql<boolean>`v.files = p.file_urls`.as('is_current'))
    .where('v.developer_id', '=', developerId)
    .where('v.product_id', '=', productId)
    .orderBy('v.created_at', 'desc')
    .orderBy('v.id', 'desc')
    .execute();
}

export function findVersion(handle: Sql, developerId: string, id: string) {
  return tables
    .in(handle)
    .selectFrom('file_versions')
    .select(['name', 'product_id', 'files'])
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function noteVersion(handle: Sql, developerId: string, id: string, notes: string): Promise<void> {
  await tables
    .in(handle)
    .updateTable('file_versions')
    .set({ notes })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .execute();
}

export async function isProduct(handle: ProductsHandle, developerId: string, id: string): Promise<boolean> {
  const known = await handle
    .selectFrom('products')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return known !== undefined;
}

export const addVersion = (
  tx: ProductsHandle,
  developerId: string,
  version: { id: string; productId: string; name: string; files: FileLink[]; notes: string; at: Date },
) =>
  tx
    .insertInto('file_versions')
    .values({
      developer_id: developerId,
      id: version.id,
      product_id: version.productId,
      name: version.name,
      files: json(version.files),
      notes: version.notes,
      created_at: version.at,
    })
    .execute();

/** @returns whether it was there. */
export async function removeVersion(tx: ProductsHandle, developerId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('file_versions')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/**
 * Gives customers these files. The version of the row changes too, so that an editor that is open does not put the old files back.
 * @returns whether they were others.
 */
export async function giveFiles(
  tx: ProductsHandle,
  developerId: string,
  productId: string,
  files: FileLink[],
  now: Date,
): Promise<boolean> {
  const changed = await tx
    .updateTable('products')
    .set({ file_urls: json(files), version: sql`version + 1`, updated_at: now })
    .where('developer_id', '=', developerId)
    .where('id', '=', productId)
    .where('file_urls', '<>', json(files))
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** The last time since then that the owners of a product were emailed about a version. */
export const announcedSince = (tx: ProductsHandle, developerId: string, productId: string, since: Date) =>
  tx
    .selectFrom('version_emails')
    .select('started_at')
    .where('developer_id', '=', developerId)
    .where('product_id', '=', productId)
    .where('started_at', '>', since)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();

const NEWEST = tables.named('newest_version', (begin, developerId: string, productId: string) =>
  begin
    .selectFrom('products as p')
    .$call(leftJoinOwn('file_versions as v', 'v.product_id', 'p.id'))
    .$call(leftJoinOwn('version_emails as e', 'e.id', 'v.id'))
    .select(['v.name', 'v.notes', 'v.files', 'e.note'])
    .select(sql<boolean>`coalesce(v.files = p.file_urls, false)`.as('is_current'))
    .where('p.developer_id', '=', developerId)
    .where('p.id', '=', productId)
    .where('p.deleted_at', 'is', null)
    .where('p.is_draft', 'is', false)
    .orderBy('is_current', 'desc')
    .orderBy('v.created_at', 'desc')
    .limit(sql.lit(1)),
);

/** The version whose files customers get now, first of all; undefined for a product that is not submitted. */
export async function newestVersion(handle: Sql, developerId: string, productId: string) {
  const [newest] = await NEWEST(handle, developerId, productId);
  return newest;
}
