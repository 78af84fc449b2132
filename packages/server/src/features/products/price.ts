import { sql } from 'kysely';
import type { Cents } from '#platform/money.ts';

/** The prices that a serial can be redeemed for, null where there is none. */
export interface Prices {
  /** The price paid for this serial where it was sold. */
  paid_cents: Cents | null;
  promo_price_cents: Cents | null;
  sale_price_cents: Cents | null;
  price_cents: Cents | null;
}

/**
 * The price at redemption: the first present of what was paid, promo price, sale price and price. A product without a price is free, and
 * so is a serial for which nothing was paid.
 */
export function priceAt(prices: Prices): Cents {
  return prices.paid_cents ?? prices.promo_price_cents ?? prices.sale_price_cents ?? prices.price_cents ?? 0;
}

/** The same rule in SQL, of serials that nobody has: `b` is their batch and `p` its product. */
export const PRICE = sql<Cents>`coalesce(b.promo_price_cents, p.sale_price_cents, p.price_cents, 0)`;

/** The same for any serial: `s` is what has the price that was paid. */
export const priceOf = (s: string) => sql<Cents>`coalesce(${sql.ref(`${s}.paid_cents`)}, ${PRICE})`;
