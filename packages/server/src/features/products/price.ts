import { sql } from 'kysely';
import type { Cents } from '#platform/money.ts';

/** The prices that a serial can be redeemed for, null where there is none. */
export interface Prices {
  promo_price_cents: Cents | null;
  sale_price_cents: Cents | null;
  price_cents: Cents | null;
}

/** The price at redemption: the first present of promo price, sale price and price. A product without a price is free. */
export function priceAt(prices: Prices): Cents {
  return prices.promo_price_cents ?? prices.sale_price_cents ?? prices.price_cents ?? 0;
}

/** The same rule in SQL, of `b`, a batch, and `p`, its product. */
export const PRICE = sql<Cents>`coalesce(b.promo_price_cents, p.sale_price_cents, p.price_cents, 0)`;
