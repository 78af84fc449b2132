import { sql } from 'kysely';
import type { ShopsHandle } from '../tables.ts';

/** What a shop sells under one of these keys. */
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
