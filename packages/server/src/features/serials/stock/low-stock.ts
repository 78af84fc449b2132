import { SEEN_BY_RESELLERS } from '#features/products';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { Publisher } from '#platform/events.ts';
import { BY_ID, inStock, OF_BATCH, OPEN } from '../rules/availability-rules.ts';
import type { LowSerialsEvent } from '../serials.schemas.ts';

// counts no further than the threshold, so that a product with a million serials costs no more than one with ten; and in
// the order of the index, because a scan of the table would read all those that are gone first
const STOCK = `
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
    `with stock as (${STOCK} where p.developer_id = $3 and p.id = $1 and p.low_serials_since is null)
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
    `with stock as (${STOCK} where p.developer_id = $1 and ${listOf('p')} and p.low_serials_since is not null)
     update products p set low_serials_since = null from stock
     where (p.developer_id, p.id) = (stock.developer_id, stock.id) and stock.n >= stock.threshold`,
    [developerId, now],
  );
  await notePartnerRestock(sql, developerId, now);
}

/**
 * How many serials of product `p` the reseller of partnership `t` has left, counted no further than `most`. Those not for
 * sale now are among them: a deal that begins tomorrow is stock that its developer has thought of already.
 */
const leftOf = (now: string, most: string) => `(
  select count(*) from (
    select 1 from batches b cross join lateral (
        select 1 from serials s where ${OF_BATCH} and ${OPEN}
        order by ${BY_ID} limit ${most}) s
    where (b.developer_id, b.partnership_id, b.product_id) = (t.developer_id, t.id, p.id) and ${inStock(now)}
    limit ${most}) few)`;

interface LowAtReseller {
  /** Null without an account, while the partnership is paused, and for a draft: the reseller doesn't see the stock then. */
  reseller_id: string | null;
  name: string;
  product: string;
  n: number;
  threshold: number;
}

const NOTE_AT_RESELLER = `
  with stock as (
    select t.developer_id, t.id as partnership_id, p.id as product_id, t.name, p.name as product,
      case when t.status = 'active' and ${SEEN_BY_RESELLERS} then t.reseller_id end as reseller_id,
      t.low_stock_threshold as threshold, ${leftOf('$4', 't.low_stock_threshold')} as n
    from partnerships t join products p on p.developer_id = t.developer_id
    where t.developer_id = $1 and t.id = $2 and p.id = $3 and t.low_stock_threshold is not null and t.status <> 'ended'
  ), noted as (
    insert into partner_low_stock as l (developer_id, partnership_id, product_id, threshold, since)
    select developer_id, partnership_id, product_id, threshold, $4 from stock where n < threshold
    on conflict (developer_id, partnership_id, product_id) do update
      set threshold = excluded.threshold, since = excluded.since where l.threshold > excluded.threshold
    returning l.developer_id
  )
  select stock.reseller_id, stock.name, stock.product, stock.n, stock.threshold
  from stock join noted on noted.developer_id = stock.developer_id`;

/**
 * Called after a serial of a partnership with a threshold is taken or handed out: reports, once each time it happens,
 * that the reseller has fewer of the product left.
 */
export async function notePartnerLowStock(
  deps: LowStockDependencies,
  sql: Sql,
  { developerId, partnershipId, productId }: { developerId: string; partnershipId: string; productId: string },
): Promise<void> {
  // of two that cross the threshold together, the later one must see what the earlier one took
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${partnershipId} ${productId}`]);
  const [low] = await sql.query<LowAtReseller>(NOTE_AT_RESELLER, [
    developerId,
    partnershipId,
    productId,
    deps.clock.now(),
  ]);
  if (!low) return;
  const { reseller_id: resellerId, name, product, n, threshold } = low;
  const partner = { partnershipId, name, resellerId };
  const data = {
    product_id: productId,
    developer_id: developerId,
    partnership_id: partnershipId,
    product_name: product,
    available: n,
    threshold,
  };
  for (const accountId of [developerId, resellerId])
    if (accountId !== null) await recordWebhook(sql, accountId, { type: 'stock.low', at: deps.clock.now(), data });
  await deps.onLowStock(sql, developerId, { product, left: n, threshold, partner });
}

/** After serials came: what a reseller has enough of again can become low again. */
export async function notePartnerRestock(sql: Sql, developerId: string, now: Date): Promise<void> {
  await sql.query(
    `delete from partner_low_stock l using partnerships t, products p
     where l.developer_id = $1 and (t.developer_id, t.id) = (l.developer_id, l.partnership_id)
       and (p.developer_id, p.id) = (l.developer_id, l.product_id)
       and ${leftOf('$2', 't.low_stock_threshold')} >= coalesce(t.low_stock_threshold, 0)`,
    [developerId, now],
  );
}
