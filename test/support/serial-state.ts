import type { SerialState, StockState } from '../../packages/server/src/features/serials/index.ts';

/** Nothing blocks a serial like this. */
export const openSerial: SerialState = {
  revoked_at: null,
  redeemed_at: null,
  promo_start: null,
  expires_at: null,
  is_draft: false,
  product_deleted: false,
  developer_deleted: false,
};

/** The same, in its developer's stock. */
export const stockedSerial: StockState & { promo_expires: Date | null } = {
  ...openSerial,
  handed_out_at: null,
  promo_expires: null,
};
