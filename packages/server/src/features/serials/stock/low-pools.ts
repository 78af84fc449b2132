import type { Sql } from '#platform/db/database.ts';
import { type LowStockDependencies, noteLowStock, notePartnerLowStock } from './low-stock.ts';

/** A product's stock, or what of it a reseller has. */
export interface StockPool {
  product_id: string;
  partnership_id: string | null;
}

/** The stock that batches are, before they can be gone. */
export function poolsOf(sql: Sql, developerId: string, batchIds: readonly string[]): Promise<StockPool[]> {
  return sql.query<StockPool>(
    'select distinct product_id, partnership_id from batches where developer_id = $1 and id = any($2::uuid[])',
    [developerId, batchIds],
  );
}

/**
 * Called after available serials were revoked or deleted: reports each product that has too few left now, in all or at a
 * reseller. In order, so that two changes at once cannot deadlock.
 */
export async function noteLowPools(
  deps: LowStockDependencies,
  sql: Sql,
  developerId: string,
  pools: readonly StockPool[],
): Promise<void> {
  for (const productId of [...new Set(pools.map(({ product_id }) => product_id))].sort())
    await noteLowStock(deps, sql, developerId, productId);
  const watched = await withThreshold(sql, developerId, pools);
  for (const { product_id: productId, partnership_id: partnershipId } of watched)
    await notePartnerLowStock(deps, sql, { developerId, partnershipId, productId });
}

async function withThreshold(sql: Sql, developerId: string, pools: readonly StockPool[]) {
  const ofResellers = pools.filter(({ partnership_id }) => partnership_id !== null);
  if (ofResellers.length === 0) return [];
  return sql.query<{ product_id: string; partnership_id: string }>(
    `select g.product_id, t.id as partnership_id from unnest($2::uuid[], $3::uuid[]) as g (product_id, partnership_id)
       join partnerships t on t.id = g.partnership_id
     where t.developer_id = $1 and t.low_stock_threshold is not null order by t.id, g.product_id`,
    [
      developerId,
      ofResellers.map(({ product_id }) => product_id),
      ofResellers.map(({ partnership_id }) => partnership_id),
    ],
  );
}
