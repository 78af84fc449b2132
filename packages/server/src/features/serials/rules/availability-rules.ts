/** What decides whether a serial is available and may be redeemed. Moments are compared with `now`. */
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

/** What decides, besides, whether it is still in stock. */
export interface StockState extends SerialState {
  /** A reseller has given its code to a customer, who may redeem it. */
  handed_out_at: Date | null;
}

export type Obstacle = 'revoked' | 'product_deleted' | 'developer_deleted' | 'draft' | 'not_yet_valid' | 'expired';

/**
 * What keeps a serial from being redeemed or, once redeemed, from being used; the first one found, null for none.
 * Drafts, windows and the developer's account matter for the first redemption only: whoever has redeemed a serial keeps
 * it.
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

// The same rules in SQL, of `s`, a serial, `b`, its batch, `p`, its product, and `u`, its developer. `now` is the
// placeholder of the time. The serial's own part is separate, because queries look at many serials of few batches.

/** A serial that has been neither redeemed nor revoked. Whoever has its code can redeem it. */
export const UNUSED = 's.redeemed_at is null and s.revoked_at is null';

/**
 * Serials `s` of batch `b`, to be read in the order of {@link BY_ID}: from an index that begins with the batch. As a range, so that
 * PostgreSQL doesn't know it to be a single batch: it would drop the batch from the order, and read the index of all ids where it
 * expects many in each batch.
 */
export const OF_BATCH = 's.developer_id = b.developer_id and s.batch_id >= b.id and s.batch_id <= b.id';

/** The order of what is {@link OF_BATCH}, and the newest first. */
export const BY_ID = 's.batch_id, s.id';
export const NEWEST_FIRST = 's.batch_id desc, s.id desc';

/** An unused serial that a reseller has handed out. */
export const HANDED_OUT = `${UNUSED} and s.handed_out_at is not null`;

/** An unused serial that has not been handed out either. */
export const OPEN = `${UNUSED} and s.handed_out_at is null`;

/** A batch whose open serials are available: see {@link isAvailable}. */
export const inStock = (now: string) => `p.deleted_at is null and (b.expires_at is null or b.expires_at > ${now})`;

/** A batch whose unused serials may be redeemed now: see {@link mayBeRedeemed}. */
export const redeemable = (now: string) =>
  `${inStock(now)} and not p.is_draft and (b.promo_start is null or b.promo_start <= ${now}) and u.deleted_at is null`;

/**
 * A batch whose open serials a reseller may sell now, for queries that leave out deleted developers by themselves: they
 * can be redeemed at once, and their deal is not over.
 */
export const sellable = (now: string) =>
  `${inStock(now)} and not p.is_draft and (b.promo_start is null or b.promo_start <= ${now}) and (b.promo_expires is null or b.promo_expires > ${now})`;

/** A batch whose open serials a reseller may hand out now. */
export const forSale = (now: string) => `${sellable(now)} and u.deleted_at is null`;

/** A batch in stock whose open serials a reseller can't sell now: its deal has not begun or is over, or it is a draft's. */
export const notForSale = (now: string) => `${inStock(now)} and not (${sellable(now)})`;
