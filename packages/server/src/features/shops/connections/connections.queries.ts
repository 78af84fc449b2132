import { sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import type { ShopsHandle } from '../tables.ts';

/** What is counted no further for a screen. */
const MOST_COUNTED = 1000;

/** The account's shops, newest first, or one of them. */
export const findShops = (handle: ShopsHandle, accountId: string, id?: string) =>
  handle
    .selectFrom('shop_connections as c')
    .select(['c.id', 'c.kind', 'c.name', 'c.mode', 'c.state', 'c.trouble', 'c.token', 'c.previous_until'])
    .select([
      'c.delivering',
      'c.on_refund',
      'c.on_dispute',
      'c.on_duplicate',
      'c.last_event_at',
      'c.refused_at',
      'c.refused_why',
    ])
    .select(['c.created_at', 'c.last_reconciled_at', sql<boolean>`c.secret is not null`.as('has_secret')])
    .select(sql<boolean>`c.credentials is not null`.as('has_credentials'))
    .select([
      sql<number>`(select count(*) from (select 1 from shop_deliveries d
        where d.developer_id = ${accountId} and d.connection_id = c.id and d.state = 'received'
        limit ${sql.lit(MOST_COUNTED)}) few)`.as('waiting'),
      sql<number>`(select count(*) from shop_items i
        where i.developer_id = ${accountId} and i.connection_id = c.id and i.mapped_at is null)`.as('unmapped'),
    ])
    .where('c.developer_id', '=', accountId)
    .where('c.deleted_at', 'is', null)
    .where(id === undefined ? inList('c.created_at') : sql<boolean>`c.id = ${id}`)
    .orderBy('c.id', 'desc')
    .execute();

export type ShopRow = Awaited<ReturnType<typeof findShops>>[number];

/** A shop, held until the transaction ends. */
export const holdShop = (tx: ShopsHandle, accountId: string, id: string) =>
  tx
    .selectFrom('shop_connections')
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate();
