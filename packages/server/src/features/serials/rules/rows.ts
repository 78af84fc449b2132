import { type Expression, sql } from 'kysely';
import { row } from '#platform/db/row.ts';
import { lookUpOwn, ownJoin } from '#platform/db/tenant.ts';
import { isHandedOut, isInStock, isNotForSale, isOpen, isSellable, isUnused } from './availability-rules.ts';

/** Rows as the statements of this feature call them. */
export const S = row('serials as s');
export const B = row('batches as b');
export const P = row('products as p');
export const U = row('users as u');

/** The batch and the product of serial `s`, … */
export const WITH_BATCH = sql`${ownJoin('batches as b', 'b.id', 's.batch_id')}
  ${ownJoin('products as p', 'p.id', 'b.product_id')}`;
/** … the same where the serial is one of a page, … */
export const lookUpBatch = (developerId: string) => sql`${lookUpOwn('batches as b', developerId, sql`s.batch_id`)}
  ${lookUpOwn('products as p', developerId, sql`b.product_id`)}`;
/** … and batches with their products. */
export const BATCHES = sql`batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}`;

/** The rules for serial `s`. */
export const UNUSED = isUnused(S);
export const OPEN = isOpen(S);
export const HANDED_OUT = isHandedOut(S);

/** The rules for batch `b` of product `p`. */
const STOCK = { batch: B, product: P };
const at = (now: Date) => sql<Date>`${now}::timestamptz`;
export const inStock = (now: Date) => isInStock(STOCK, at(now));
export const sellable = (now: Date) => isSellable(STOCK, at(now));
export const notForSale = (now: Date) => isNotForSale(STOCK, at(now));

/**
 * Serials `s` of a batch of this developer, to be read in the order of {@link BY_ID}: from an index that begins with the batch. As a
 * range, so that PostgreSQL doesn't know it to be a single batch: it would drop the batch from the order, and read the index of all ids
 * where it expects many in each batch.
 */
export const ofBatch = (developerId: string, batch: { id: Expression<string> }) =>
  sql<boolean>`s.developer_id = ${developerId} and s.batch_id >= ${batch.id} and s.batch_id <= ${batch.id}`;

/** The order of what is {@link ofBatch}, and the newest first. */
export const BY_ID = sql`s.batch_id, s.id`;
export const NEWEST_FIRST = sql`s.batch_id desc, s.id desc`;
