import { type Expression, sql } from 'kysely';
import { SEEN_BY_RESELLERS } from '#features/products';
import { recordWebhook } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import type { Publisher } from '#platform/events.ts';
import { isInStock } from '../rules/availability-rules.ts';
import { B, BY_ID, OPEN, ofBatch, P } from '../rules/rows.ts';
import { tables } from '../tables.ts';
import type { LowSerialsEvent } from './low-stock.schemas.ts';

/** A product's stock, or what of it a reseller has. */
export type StockPool = Columns<'batches', 'product_id' | 'partnership_id'>;

/** Whose stock, and when. */
interface Stock {
  developerId: string;
  now: Date;
}

/**
 * How many open serials are left in the batches that fit, counted no further than `most`, so that a product with a million serials
 * costs no more than one with ten; and in the order of the index, because a scan of the table would read all those that are gone first.
 * @param fits of batch `b` of product `p`
 */
const leftOf = (
  { developerId, now }: Stock,
  fits: Expression<boolean>,
  most: Expression<number | null>,
) => sql<number>`(
  select count(*) from (
    select 1 from batches b cross join lateral (
        select 1 from serials s where ${ofBatch(developerId, B)} and ${OPEN} order by ${BY_ID} limit ${most}) s
    where b.developer_id = ${developerId} and ${fits} and ${isInStock({ batch: B, product: P }, sql`${now}`)}
    limit ${most}) few)`;

/** The stock of products `p`. */
const stockOf = (stock: Stock) => sql`
  select p.developer_id, p.id, u.low_serials_threshold as threshold,
    ${leftOf(stock, sql`b.product_id = p.id`, sql`u.low_serials_threshold`)} as n
  from products p join users u on u.id = p.developer_id
  where p.developer_id = ${stock.developerId}`;

/** A reseller who ran low, where it is not the developer's whole stock that did. */
export interface LowReseller {
  partnershipId: string;
  /** The developer's name for the reseller. */
  name: string;
  /** Null: the reseller isn't notified. */
  resellerId: string | null;
}

/** Port: called in the transaction in which a product runs low. */
export type OnLowStock = (
  sql: Sql,
  developerId: string,
  stock: { product: string; left: number; threshold: number; reseller?: LowReseller },
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
  handle: Sql,
  developerId: string,
  productId: string,
): Promise<void> {
  const now = deps.clock.now();
  const {
    rows: [low],
  } = await sql<Columns<'products', 'name'> & { n: number; threshold: number }>`
    with stock as (${stockOf({ developerId, now })} and p.id = ${productId} and p.low_serials_since is null)
    update products p set low_serials_since = ${now} from stock
    where p.developer_id = ${developerId} and p.id = stock.id and p.low_serials_since is null and stock.n < stock.threshold
    returning p.name, stock.n, stock.threshold`.execute(tables.in(handle));
  if (!low) return;
  await deps.events.publish(handle, developerId, {
    type: 'low_serials',
    data: { product_id: productId, product_name: low.name, serials_available: low.n, threshold: low.threshold },
  });
  await recordWebhook(handle, developerId, {
    type: 'stock.low',
    at: now,
    data: {
      product_id: productId,
      developer_id: developerId,
      partnership_id: null,
      product_name: low.name,
      available: low.n,
      threshold: low.threshold,
    },
  });
  await deps.onLowStock(handle, developerId, { product: low.name, left: low.n, threshold: low.threshold });
}

/** After serials came: products that have enough again, in all or at a reseller, can become low again. */
export async function noteRestock(handle: Sql, developerId: string, now: Date): Promise<void> {
  await sql`
    with stock as (${stockOf({ developerId, now })} and ${inList('p.created_at')} and p.low_serials_since is not null)
    update products p set low_serials_since = null from stock
    where p.developer_id = ${developerId} and p.id = stock.id and stock.n >= stock.threshold`.execute(
    tables.in(handle),
  );
  await noteResellerRestock(handle, developerId, now);
}

/**
 * How many serials of product `p` the reseller of partnership `t` has left, counted no further than its threshold. Those not for
 * sale now are among them: a deal that begins tomorrow is stock that its developer has thought of already.
 */
const leftAtReseller = (stock: Stock) =>
  leftOf(stock, sql`b.partnership_id = t.id and b.product_id = p.id`, sql`t.low_stock_threshold`);

interface LowAtReseller extends Columns<'partnerships', 'name'> {
  /** Null without an account, while the partnership is paused, and for a draft: the reseller doesn't see the stock then. */
  reseller_id: string | null;
  product: string;
  n: number;
  threshold: number;
}

/** A product at a reseller. */
interface ResellerPool {
  developerId: string;
  partnershipId: string;
  productId: string;
}

/** Notes that the reseller is low. No row: they have enough, or it was noted before. */
const noteAtReseller = ({ developerId, partnershipId, productId }: ResellerPool, now: Date) => sql<LowAtReseller>`
  with stock as (
    select t.developer_id, t.id as partnership_id, p.id as product_id, t.name, p.name as product,
      case when t.status = 'active' and ${SEEN_BY_RESELLERS} then t.reseller_id end as reseller_id,
      t.low_stock_threshold as threshold, ${leftAtReseller({ developerId, now })} as n
    from partnerships t join products p on p.developer_id = t.developer_id
    where t.developer_id = ${developerId} and t.id = ${partnershipId} and p.id = ${productId}
      and t.low_stock_threshold is not null and t.status <> 'ended'
  ), noted as (
    insert into partner_low_stock as l (developer_id, partnership_id, product_id, threshold, since)
    select t.developer_id, t.id, stock.product_id, stock.threshold, ${now}::timestamptz
    from partnerships t join stock on ${ownMatch('stock.partnership_id', 't.id')}
    where t.developer_id = ${developerId} and stock.n < stock.threshold
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
export async function noteResellerLowStock(deps: LowStockDependencies, handle: Sql, pool: ResellerPool): Promise<void> {
  const { developerId, partnershipId, productId } = pool;
  const own = tables.in(handle);
  // the later of two that cross the threshold together must see what the earlier one took
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${partnershipId} ${productId}`}, 2))`.execute(own);
  const now = deps.clock.now();
  const {
    rows: [low],
  } = await noteAtReseller(pool, now).execute(own);
  if (!low) return;
  const { reseller_id: resellerId, name, product, n, threshold } = low;
  const reseller = { partnershipId, name, resellerId };
  const data = {
    product_id: productId,
    developer_id: developerId,
    partnership_id: partnershipId,
    product_name: product,
    available: n,
    threshold,
  };
  for (const accountId of [developerId, resellerId])
    if (accountId !== null) await recordWebhook(handle, accountId, { type: 'stock.low', at: now, data });
  await deps.onLowStock(handle, developerId, { product, left: n, threshold, reseller });
}

/** After serials came: what a reseller has enough of again can become low again. */
export async function noteResellerRestock(handle: Sql, developerId: string, now: Date): Promise<void> {
  await sql`
    delete from partner_low_stock l using partnerships t, products p
    where l.developer_id = ${developerId} and ${ownMatch('t.id', 'l.partnership_id')}
      and ${ownMatch('p.id', 'l.product_id')}
      and ${leftAtReseller({ developerId, now })} >= coalesce(t.low_stock_threshold, 0)`.execute(tables.in(handle));
}

/** The stock that batches are, before they can be gone. */
export function poolsOf(handle: Sql, developerId: string, batchIds: readonly string[]): Promise<StockPool[]> {
  return tables
    .in(handle)
    .selectFrom('batches')
    .select(['product_id', 'partnership_id'])
    .distinct()
    .where('developer_id', '=', developerId)
    .where('id', '=', sql<string>`any(${batchIds}::uuid[])`)
    .execute();
}

/**
 * Called after available serials were revoked or deleted: reports each product that has too few left now, in all or at a
 * reseller. In order, so that two changes at once cannot deadlock.
 */
export async function noteLowPools(
  deps: LowStockDependencies,
  handle: Sql,
  developerId: string,
  pools: readonly StockPool[],
): Promise<void> {
  for (const productId of [...new Set(pools.map(({ product_id }) => product_id))].sort())
    await noteLowStock(deps, handle, developerId, productId);
  for (const { product_id: productId, partnership_id: partnershipId } of await watchedOf(handle, developerId, pools))
    await noteResellerLowStock(deps, handle, { developerId, partnershipId, productId });
}

/** Those at resellers with a threshold. */
async function watchedOf(handle: Sql, developerId: string, pools: readonly StockPool[]) {
  const ofResellers = pools.filter(({ partnership_id }) => partnership_id !== null);
  if (ofResellers.length === 0) return [];
  const { rows } = await sql<{ product_id: string; partnership_id: string }>`
    select g.product_id, t.id as partnership_id
    from unnest(${ofResellers.map(({ product_id }) => product_id)}::uuid[],
        ${ofResellers.map(({ partnership_id }) => partnership_id)}::uuid[]) as g (product_id, partnership_id)
      join partnerships t on t.id = g.partnership_id
    where t.developer_id = ${developerId} and t.low_stock_threshold is not null order by t.id, g.product_id`.execute(
    tables.in(handle),
  );
  return rows;
}
