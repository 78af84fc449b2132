import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { joinOwn, leftJoinOwn } from '#platform/db/tenant.ts';
import { tables } from '../tables.ts';

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
