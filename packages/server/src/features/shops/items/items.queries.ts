import { type Insertable, sql } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import type { ShopsHandle } from '../tables.ts';

/** Items that a shop sells under one of these keys. */
export const findItems = (tx: ShopsHandle, accountId: string, shopId: string, keys: readonly string[]) =>
  tx
    .selectFrom('shop_items')
    .selectAll()
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', shopId)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute();

export type ItemRow = Awaited<ReturnType<typeof findItems>>[number];

/**
 * Notes what a shop sells and nobody has mapped.
 * @returns whether that is news.
 */
export async function noteUnmapped(
  tx: ShopsHandle,
  item: { accountId: string; shopId: string; key: string; name: string; now: Date },
): Promise<boolean> {
  const noted = await tx
    .insertInto('shop_items')
    .values({
      developer_id: item.accountId,
      connection_id: item.shopId,
      key: item.key,
      name: item.name,
      product_ids: [],
      units: 1,
      source: 'generate',
      renewals: 'ignore',
      seen_at: item.now,
    })
    .onConflict((on) => on.columns(['developer_id', 'connection_id', 'key']).doNothing())
    .returning('key')
    .execute();
  return noted.length > 0;
}

/** Forgets that something was not mapped. */
export const forgetUnmapped = (tx: ShopsHandle, accountId: string, shopId: string, keys: readonly string[]) =>
  tx
    .deleteFrom('shop_items')
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', shopId)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .where('mapped_at', 'is', null)
    .execute();

/** Items of a shop, ordered by their keys. */
export const itemsAfter = (
  handle: ShopsHandle,
  accountId: string,
  shopId: string,
  { after, unmapped, limit }: { after: string | undefined; unmapped: boolean; limit: number },
) =>
  handle
    .selectFrom('shop_items')
    .selectAll()
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', shopId)
    .$if(unmapped, (all) => all.where('mapped_at', 'is', null))
    .$if(after !== undefined, (all) => all.where('key', '>', after as string))
    .orderBy('key')
    .limit(limit + 1)
    .execute();

/** One that is there keeps when it was seen first. */
export function mapItems(tx: ShopsHandle, items: Insertable<Tables['shop_items']>[]) {
  const newest = (column: string) => sql<never>`excluded.${sql.ref(column)}`;
  return tx
    .insertInto('shop_items')
    .values(items)
    .onConflict((on) =>
      on.columns(['developer_id', 'connection_id', 'key']).doUpdateSet({
        name: newest('name'),
        product_ids: newest('product_ids'),
        units: newest('units'),
        source: newest('source'),
        batch_tag: newest('batch_tag'),
        prefix: newest('prefix'),
        expires_at: newest('expires_at'),
        renewals: newest('renewals'),
        mapped_at: newest('mapped_at'),
      }),
    )
    .execute();
}

/** @returns whether it was there. */
export async function removeItem(tx: ShopsHandle, accountId: string, shopId: string, key: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('shop_items')
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', shopId)
    .where('key', '=', key)
    .returning('key')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Whether the account has this shop. */
export async function isShop(handle: ShopsHandle, accountId: string, shopId: string): Promise<boolean> {
  const shop = await handle
    .selectFrom('shop_connections')
    .select('id')
    .where('developer_id', '=', accountId)
    .where('id', '=', shopId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return shop !== undefined;
}
