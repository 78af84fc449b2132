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
 * Whether a serial is part of its developer's stock: it can be redeemed, now or once its product is published and its
 * window has begun.
 */
export function isAvailable(serial: SerialState, now: Date): boolean {
  return (
    serial.redeemed_at === null && serial.revoked_at === null && !serial.product_deleted && !hasExpired(serial, now)
  );
}

/** Whether a serial may be redeemed now. */
export function mayBeRedeemed(serial: SerialState, now: Date): boolean {
  return serial.redeemed_at === null && obstacleOf(serial, now) === null;
}

function hasExpired(serial: SerialState, now: Date): boolean {
  return serial.expires_at !== null && serial.expires_at <= now;
}

// The same rules in SQL, of `s`, a serial, `b`, its batch, `p`, its product, and `u`, its developer. `now` is the
// placeholder of the time. The serial's own part is separate, because queries look at many serials of few batches.

/** A serial that has been neither redeemed nor revoked. */
export const OPEN = 's.redeemed_at is null and s.revoked_at is null';

/** A batch whose open serials are available: see {@link isAvailable}. */
export const inStock = (now: string) => `p.deleted_at is null and (b.expires_at is null or b.expires_at > ${now})`;

/** A batch whose open serials may be redeemed now: see {@link mayBeRedeemed}. */
export const redeemable = (now: string) =>
  `${inStock(now)} and not p.is_draft and (b.promo_start is null or b.promo_start <= ${now}) and u.deleted_at is null`;
