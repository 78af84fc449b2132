import { sql } from 'kysely';
import type { ProductSerials, StockSql } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import { changeByBatch } from '../change/by-batch.ts';
import { isInStock } from '../rules/availability-rules.ts';
import { B, BATCHES, BY_ID, HANDED_OUT, OPEN, ofBatch, P } from '../rules/rows.ts';
import { tables } from '../tables.ts';

/** The number of open serials in batch `b`. */
const openOf = (developerId: string) =>
  sql<number>`(select count(*) from serials s where s.developer_id = ${developerId} and s.batch_id = b.id and ${OPEN})`;

const stockSql: StockSql = {
  available: (product, { developerId, now }) => sql<number>`(
    select coalesce(sum(${openOf(developerId)}), 0) from batches b
    where b.developer_id = ${developerId} and b.product_id = ${product.id} and ${isInStock({ batch: B, product }, sql`${now}`)})`,
  // not `exists`, which may become a list of all batches that have any, in every account
  anyAvailable: (product, { developerId, now }) => sql<boolean>`coalesce((
    select true from batches b cross join lateral (
      select 1 from serials s where ${ofBatch(developerId, B)} and ${OPEN} order by ${BY_ID} limit 1) s
    where b.developer_id = ${developerId} and b.product_id = ${product.id} and ${isInStock({ batch: B, product }, sql`${now}`)}
    limit 1), false)`,
  generated: (product, { developerId }) => sql<number>`(
    select coalesce(sum(b.quantity), 0) from batches b
    where b.developer_id = ${developerId} and b.product_id = ${product.id})`,
};

/** The number of available serials of each product that has batches in stock. */
async function countAvailable(
  handle: Sql,
  developerId: string,
  productIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<Columns<'batches', 'product_id'> & { n: number }>`
    select b.product_id, sum(${openOf(developerId)})::int as n
    from ${BATCHES} where b.developer_id = ${developerId} and b.product_id = any(${productIds}::uuid[])
      and ${isInStock({ batch: B, product: P }, sql`${now}`)} group by 1`.execute(tables.in(handle));
  return new Map(rows.map((row) => [row.product_id, row.n]));
}

/** The serials that somebody has paid for. */
async function countSold(
  handle: Sql,
  developerId: string,
  productId: string,
): Promise<{ redeemed: number; handedOut: number }> {
  const { rows } = await sql<{ redeemed: number; handedOut: number }>`
    select
      (select count(*) from redemptions r where r.developer_id = ${developerId} and r.product_id = ${productId}) as redeemed,
      (select coalesce(sum((
          select count(*) from serials s where s.developer_id = ${developerId} and s.batch_id = b.id and ${HANDED_OUT})), 0)::int
        from batches b where b.developer_id = ${developerId} and b.product_id = ${productId}) as "handedOut"`.execute(
    tables.in(handle),
  );
  return rows[0] ?? { redeemed: 0, handedOut: 0 };
}

/** Deletes all serials of a product. @returns how many. */
async function deleteAll(handle: Sql, developerId: string, productId: string): Promise<number> {
  const own = tables.in(handle);
  const { numAffectedRows: gone } = await sql`
    delete from serials s using batches b
    where s.developer_id = ${developerId} and ${ownMatch('b.id', 's.batch_id')}
      and b.product_id = ${productId}`.execute(own);
  await own.deleteFrom('batches').where('developer_id', '=', developerId).where('product_id', '=', productId).execute();
  return Number(gone);
}

/** Deletes serials that nobody has redeemed and no reseller has handed out, and revokes the rest. */
async function retire(
  handle: Sql,
  developerId: string,
  productId: string,
  now: Date,
): Promise<{ deleted: number; revoked: number }> {
  const own = tables.in(handle);
  const { numAffectedRows: deleted } = await sql`
    delete from serials s using batches b
    where s.developer_id = ${developerId} and ${ownMatch('b.id', 's.batch_id')}
      and b.product_id = ${productId} and s.redeemed_at is null and s.handed_out_at is null`.execute(own);
  const which = sql<boolean>`s.batch_id = any(array(
    select b.id from batches b where b.developer_id = ${developerId} and b.product_id = ${productId}))`;
  const { count: revoked } = await changeByBatch(handle, { developerId, action: 'revoke', now, which });
  await sql`
    delete from batches b where b.developer_id = ${developerId} and b.product_id = ${productId} and not exists (
      select 1 from serials s where s.developer_id = ${developerId} and s.batch_id = b.id)`.execute(own);
  return { deleted: Number(deleted), revoked };
}

/** The serials of products. */
export const productStock: ProductSerials = { stockSql, countAvailable, countSold, deleteAll, retire };
