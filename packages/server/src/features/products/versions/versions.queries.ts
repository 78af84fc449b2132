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
    .select(['v.id', 'v.product_id', 'v.name', 'v.files', 'v.created_at'])
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
