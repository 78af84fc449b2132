import { rowLineSql, rowLineSql1 } from './seal/seal-sql.ts';

/**
 * The rows that statements are made of. Both tables are append-only and the month of a row is its time's month in UTC, so that
 * the rows of a closed month never change.
 */

/** Sales of one developer that earn a commission, in `[from, to)`. Imports were settled where they were sold. */
export const soldIn = (r: string, from: string, to: string) =>
  `${r}.redeemed_at >= ${from} and ${r}.redeemed_at < ${to} and ${r}.source <> 'import' and ${r}.partnership_id is not null`;

/** Refunds and other adjustments in `[from, to)`. */
export const adjustedIn = (a: string, from: string, to: string) =>
  `${a}.created_at >= ${from} and ${a}.created_at < ${to} and ${a}.partnership_id is not null`;

const SALE = {
  id: 'r.id',
  at: 'r.redeemed_at',
  kind: `'sale'`,
  refersTo: `'-'`,
  revenue: 'r.final_price_cents',
  commission: 'r.commission_cents',
  bps: 'r.commission_bps',
};
export const SALE_LINE = rowLineSql(SALE);
/** As it was sealed before rates were. */
export const SALE_LINE_1 = rowLineSql1(SALE);

/** Of `a`, an adjustment, and `r`, the redemption that it changes. */
const ADJUSTMENT = {
  id: 'a.id',
  at: 'a.created_at',
  kind: 'a.kind',
  refersTo: 'a.redemption_id::text',
  revenue: 'a.revenue_cents',
  commission: 'a.commission_cents',
  bps: 'r.commission_bps',
};
export const ADJUSTMENT_LINE = rowLineSql(ADJUSTMENT);
export const ADJUSTMENT_LINE_1 = rowLineSql1(ADJUSTMENT);
