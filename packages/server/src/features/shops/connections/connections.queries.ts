import { type Insertable, sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Tables } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { ShopsHandle } from '../tables.ts';
import { noTrouble } from './shop-changes.ts';

/** Counts for a screen stop here. */
const MOST_COUNTED = 1000;

/**
 * The account's shops, newest first, or one of them.
 * @param since from when on is counted what they did not report.
 */
export const findShops = (handle: ShopsHandle, accountId: string, since: Date, id?: string) =>
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
      sql<Missed>`(select json_build_object('n', count(*), 'at', max(found_at)) from (select o.found_at from shop_orders o
        where o.developer_id = ${accountId} and o.connection_id = c.id and o.found_at > ${since}
        order by o.found_at desc limit ${sql.lit(MOST_COUNTED)}) few)`.as('missed_orders'),
      sql<Missed>`(select json_build_object('n', count(*), 'at', max(at)) from (select max(r.found_at) as at
        from shop_reversals r ${ownJoin('shop_orders as o', 'o.id', 'r.order_id')}
        where r.developer_id = ${accountId} and r.found_at > ${since} and o.connection_id = c.id
        group by r.order_id order by 1 desc limit ${sql.lit(MOST_COUNTED)}) few)`.as('missed_refunds'),
    ])
    .where('c.developer_id', '=', accountId)
    .where('c.deleted_at', 'is', null)
    .where(id === undefined ? inList('c.created_at') : sql<boolean>`c.id = ${id}`)
    .orderBy('c.id', 'desc')
    .execute();

/** How many a shop did not report, and when the last of them was found. */
interface Missed {
  n: number;
  at: string | null;
}

export type ShopRow = Awaited<ReturnType<typeof findShops>>[number];

/** A shop, held until the transaction ends. */
export const holdShop = (tx: ShopsHandle, accountId: string, id: string) =>
  tx
    .selectFrom('shop_connections')
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate();

export async function countShops(tx: ShopsHandle, accountId: string): Promise<number> {
  const { n } = await tx
    .selectFrom('shop_connections')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('developer_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return n;
}

export const addShop = (tx: ShopsHandle, shop: Insertable<Tables['shop_connections']>) =>
  tx.insertInto('shop_connections').values(shop).execute();

/** A shop that is held, to be changed. */
export const changeShop = (tx: ShopsHandle, accountId: string, id: string) =>
  tx.updateTable('shop_connections').where('developer_id', '=', accountId).where('id', '=', id);

/** The one before it is accepted beside it for a while. */
export const takeNextSecret = (
  tx: ShopsHandle,
  accountId: string,
  id: string,
  { secret, until }: { secret: Buffer; until: Date },
) =>
  changeShop(tx, accountId, id)
    .set({
      secret,
      previous_secret: sql`secret`,
      previous_until: sql`case when secret is not null then ${until}::timestamptz end`,
      ...noTrouble,
    })
    .execute();

/** Switches a shop on. Trouble from before stays. */
export const switchOn = (tx: ShopsHandle, accountId: string, id: string) =>
  changeShop(tx, accountId, id)
    .set({ state: sql<'active' | 'attention'>`case when trouble is null then 'active' else 'attention' end` })
    .execute();
