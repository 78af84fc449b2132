import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/db/database.ts';
import { listOf } from '../../platform/db/list-index.ts';
import type { Publisher } from '../../platform/events.ts';
import { recordWebhook } from '../webhooks/index.ts';
import { BY_ID, inStock, OF_BATCH, OPEN } from './availability-rules.ts';
import { notePartnerRestock } from './partner-stock.ts';
import type { LowSerialsEvent } from './serials.schemas.ts';

// counts no further than the threshold, so that a product with a million serials costs no more than one with ten; and in
// the order of the index, because a scan of the table would read all those that are gone first
const LEFT = `
  select p.developer_id, p.id, u.low_serials_threshold as threshold, (
    select count(*) from (
      select 1 from batches b cross join lateral (
          select 1 from serials s where ${OF_BATCH} and ${OPEN}
          order by ${BY_ID} limit u.low_serials_threshold) s
      where (b.developer_id, b.product_id) = (p.developer_id, p.id) and ${inStock('$2')}
      limit u.low_serials_threshold) few) as n
  from products p join users u on u.id = p.developer_id`;

/** A reseller who ran low, where it is not the developer's whole stock that did. */
export interface LowPartner {
  partnershipId: string;
  /** What the developer calls the reseller. */
  name: string;
  /** Null: the reseller isn't notified. */
  resellerId: string | null;
}

/** Port: called in the transaction in which a product runs low. */
export type OnLowStock = (
  sql: Sql,
  developerId: string,
  stock: { product: string; left: number; threshold: number; partner?: LowPartner },
) => Promise<void>;

export interface LowStockDependencies {
  clock: Clock;
  events: Publisher<LowSerialsEvent>;
  onLowStock: OnLowStock;
}

/**
 * Called after a serial is taken, revoked or deleted: reports, once each time it happens, that the product has fewer left than its
 * threshold.
 */
export async function noteLowStock(
  deps: LowStockDependencies,
  sql: Sql,
  developerId: string,
  productId: string,
): Promise<void> {
  const [low] = await sql.query<{ name: string; n: number; threshold: number }>(
    `with stock as (${LEFT} where p.developer_id = $3 and p.id = $1 and p.low_serials_since is null)
     update products p set low_serials_since = $2 from stock
     where (p.developer_id, p.id) = (stock.developer_id, stock.id) and p.low_serials_since is null and stock.n < stock.threshold
     returning p.name, stock.n, stock.threshold`,
    [productId, deps.clock.now(), developerId],
  );
  if (!low) return;
  await deps.events.publish(sql, developerId, {
    type: 'low_serials',
    data: { product_id: productId, product_name: low.name, serials_available: low.n, threshold: low.threshold },
  });
  await recordWebhook(sql, developerId, {
    type: 'stock.low',
    at: deps.clock.now(),
    data: {
      product_id: productId,
      developer_id: developerId,
      partnership_id: null,
      product_name: low.name,
      available: low.n,
      threshold: low.threshold,
    },
  });
  await deps.onLowStock(sql, developerId, { product: low.name, left: low.n, threshold: low.threshold });
}

/** After serials came: products that have enough again, in all or at a reseller, can become low again. */
export async function noteRestock(sql: Sql, developerId: string, now: Date): Promise<void> {
  await sql.query(
    `with stock as (${LEFT} where p.developer_id = $1 and ${listOf('p')} and p.low_serials_since is not null)
     update products p set low_serials_since = null from stock
     where (p.developer_id, p.id) = (stock.developer_id, stock.id) and stock.n >= stock.threshold`,
    [developerId, now],
  );
  await notePartnerRestock(sql, developerId, now);
}
