import { sql } from 'kysely';
import { rowLineSql, rowLineSql1 } from './seal/seal-sql.ts';

/**
 * The rows that statements are made of. Both tables are append-only and the month of a row is its time's month in UTC, so that
 * the rows of a closed month never change.
 */

/** A period from the first moment to before the second one. */
export type Bounds = readonly [from: string | Date, to: string | Date];

const within = (column: string, [from, to]: Bounds) =>
  sql`${sql.ref(column)} >= ${from}::timestamptz and ${sql.ref(column)} < ${to}::timestamptz`;

/** Sales `r` of one developer that earn a commission, in a month. Imports were settled where they were sold. */
export const soldIn = (r: string, bounds: Bounds) =>
  sql<boolean>`${within(`${r}.redeemed_at`, bounds)} and ${sql.ref(`${r}.source`)} <> 'import'
    and ${sql.ref(`${r}.partnership_id`)} is not null`;

/** Refunds and other adjustments `a` in a month. */
export const adjustedIn = (a: string, bounds: Bounds) =>
  sql<boolean>`${within(`${a}.created_at`, bounds)} and ${sql.ref(`${a}.partnership_id`)} is not null`;

/** The columns of `r`, a redemption. */
const SALE = {
  id: sql`r.id`,
  at: sql`r.redeemed_at`,
  kind: sql`'sale'`,
  refersTo: sql`'-'`,
  revenue: sql`r.final_price_cents`,
  commission: sql`r.commission_cents`,
  bps: sql`r.commission_bps`,
};
export const SALE_LINE = rowLineSql(SALE);
/** As it was sealed before rates were. */
export const SALE_LINE_1 = rowLineSql1(SALE);

/** The columns of `a`, an adjustment, and `r`, the redemption that it changes. */
const ADJUSTMENT = {
  id: sql`a.id`,
  at: sql`a.created_at`,
  kind: sql`a.kind`,
  refersTo: sql`a.redemption_id::text`,
  revenue: sql`a.revenue_cents`,
  commission: sql`a.commission_cents`,
  bps: sql`r.commission_bps`,
};
export const ADJUSTMENT_LINE = rowLineSql(ADJUSTMENT);
export const ADJUSTMENT_LINE_1 = rowLineSql1(ADJUSTMENT);
