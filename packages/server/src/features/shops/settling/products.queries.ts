import { sql } from 'kysely';
import type { ShopsHandle } from '../tables.ts';

/** A product that an order may give. */
export interface Sellable {
  id: string;
  name: string;
}

const sellable = (tx: ShopsHandle, accountId: string, ids: readonly string[]) =>
  tx
    .selectFrom('products')
    .select(['id', 'name'])
    .where('developer_id', '=', accountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where('is_draft', 'is', false)
    .orderBy('id');

const byId = (products: readonly Sellable[]) => new Map(products.map((product) => [product.id, product]));

/** Products that can be redeemed. */
export const findSellable = async (tx: ShopsHandle, accountId: string, ids: readonly string[]) =>
  byId(await sellable(tx, accountId, ids).execute());

/** The same; until the transaction ends they are not deleted. */
export const holdSellable = async (tx: ShopsHandle, accountId: string, ids: readonly string[]) =>
  byId(await sellable(tx, accountId, ids).forKeyShare().execute());

export async function namesOf(
  tx: ShopsHandle,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await tx
    .selectFrom('products')
    .select(['id', 'name'])
    .where('developer_id', '=', accountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  return new Map(found.map(({ id, name }) => [id, name]));
}
