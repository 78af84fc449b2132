import { type Expression, sql } from 'kysely';

/** The facts that decide whether a serial is available and may be redeemed. Moments are compared with `now`. */
export interface SerialState {
  revoked_at: Date | null;
  redeemed_at: Date | null;
  /** *Active from*: the first moment at which it may be redeemed. */
  promo_start: Date | null;
  /** *Active to*: the first moment at which it no longer may be. */
  expires_at: Date | null;
  is_draft: boolean;
  product_deleted: boolean;
  /** The developer has deleted their account. */
  developer_deleted: boolean;
}

/** The facts that also decide whether it is still in stock. */
export interface StockState extends SerialState {
  /** A reseller has given its code to a customer, who may redeem it. */
  handed_out_at: Date | null;
}

export type Obstacle = 'revoked' | 'product_deleted' | 'developer_deleted' | 'draft' | 'not_yet_valid' | 'expired';

/**
 * Returns the first obstacle that keeps a serial from being redeemed or, once redeemed, from being used; null for none.
 * Drafts, windows and the developer's account matter for the first redemption only: a customer keeps a redeemed serial.
 */
export function obstacleOf(serial: SerialState, now: Date): Obstacle | null {
  if (serial.revoked_at !== null) return 'revoked';
  if (serial.product_deleted) return 'product_deleted';
  if (serial.redeemed_at !== null) return null;
  if (serial.developer_deleted) return 'developer_deleted';
  if (serial.is_draft) return 'draft';
  if (serial.promo_start !== null && serial.promo_start > now) return 'not_yet_valid';
  return hasExpired(serial, now) ? 'expired' : null;
}

/**
 * Whether a serial is part of its developer's stock: nobody has it, and it can be redeemed, now or once its product is
 * published and its window has begun.
 */
export function isAvailable(serial: StockState, now: Date): boolean {
  return (
    serial.redeemed_at === null &&
    serial.revoked_at === null &&
    serial.handed_out_at === null &&
    !serial.product_deleted &&
    !hasExpired(serial, now)
  );
}

/** Whether a serial may be redeemed now, handed out or not. */
export function mayBeRedeemed(serial: SerialState, now: Date): boolean {
  return serial.redeemed_at === null && obstacleOf(serial, now) === null;
}

/** Whether a reseller may hand a serial out now. */
export function mayBeHandedOut(serial: StockState & { promo_expires: Date | null }, now: Date): boolean {
  return (
    serial.handed_out_at === null &&
    mayBeRedeemed(serial, now) &&
    (serial.promo_expires === null || serial.promo_expires > now)
  );
}

function hasExpired(serial: SerialState, now: Date): boolean {
  return serial.expires_at !== null && serial.expires_at <= now;
}

// The same rules in SQL. Each lists the columns that it needs per row, whatever the statement calls them. The serial's own part is
// separate, because queries look at many serials of few batches.

interface SerialColumns {
  redeemed_at: Expression<Date | null>;
  revoked_at: Expression<Date | null>;
  handed_out_at: Expression<Date | null>;
}
type UsedColumns = Omit<SerialColumns, 'handed_out_at'>;

/** Rows of a batch and its product. */
export interface InStock {
  batch: { expires_at: Expression<Date | null> };
  product: { deleted_at: Expression<Date | null> };
}
export interface OnSale extends InStock {
  batch: InStock['batch'] & { promo_start: Expression<Date | null>; promo_expires: Expression<Date | null> };
  product: InStock['product'] & { is_draft: Expression<boolean> };
}
interface Redeemable extends InStock {
  batch: Omit<OnSale['batch'], 'promo_expires'>;
  product: OnSale['product'];
}
interface Developer {
  developer: { deleted_at: Expression<Date | null> };
}

/** A serial that has been neither redeemed nor revoked. Anyone who has its code can redeem it. */
export const isUnused = (serial: UsedColumns) =>
  sql<boolean>`${serial.redeemed_at} is null and ${serial.revoked_at} is null`;

/** An unused serial that a reseller has handed out. */
export const isHandedOut = (serial: SerialColumns) =>
  sql<boolean>`${isUnused(serial)} and ${serial.handed_out_at} is not null`;

/** An unused serial that has not been handed out either. */
export const isOpen = (serial: SerialColumns) => sql<boolean>`${isUnused(serial)} and ${serial.handed_out_at} is null`;

/** A batch whose open serials are available: see {@link isAvailable}. */
export const isInStock = ({ batch, product }: InStock, now: Expression<Date>) =>
  sql<boolean>`${product.deleted_at} is null and (${batch.expires_at} is null or ${batch.expires_at} > ${now})`;

const hasBegun = ({ batch, product }: Redeemable, now: Expression<Date>) =>
  sql<boolean>`not ${product.is_draft} and (${batch.promo_start} is null or ${batch.promo_start} <= ${now})`;

/** A batch whose unused serials may be redeemed now: see {@link mayBeRedeemed}. */
export const isRedeemable = (rows: Redeemable & Developer, now: Expression<Date>) =>
  sql<boolean>`${isInStock(rows, now)} and ${hasBegun(rows, now)} and ${rows.developer.deleted_at} is null`;

/**
 * A batch whose open serials a reseller may sell now, for queries that leave out deleted developers by themselves: they
 * can be redeemed at once, and their deal is not over.
 */
export const isSellable = (rows: OnSale, now: Expression<Date>) =>
  sql<boolean>`${isInStock(rows, now)} and ${hasBegun(rows, now)} and (${rows.batch.promo_expires} is null or ${rows.batch.promo_expires} > ${now})`;

/** A batch whose open serials a reseller may hand out now. */
export const isForSale = (rows: OnSale & Developer, now: Expression<Date>) =>
  sql<boolean>`${isSellable(rows, now)} and ${rows.developer.deleted_at} is null`;

/** A batch in stock whose open serials a reseller can't sell now: its deal has not begun or is over, or it is a draft's. */
export const isNotForSale = (rows: OnSale, now: Expression<Date>) =>
  sql<boolean>`${isInStock(rows, now)} and not (${isSellable(rows, now)})`;
