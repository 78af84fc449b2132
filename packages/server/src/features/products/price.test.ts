import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PRICE, type Prices, priceAt } from './price.ts';
import { tables } from './tables.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it.each([
  [{ promo_price_cents: 0, sale_price_cents: 2, price_cents: 3 }, 0],
  [{ promo_price_cents: null, sale_price_cents: 0, price_cents: 3 }, 0],
  [{ promo_price_cents: null, sale_price_cents: null, price_cents: 3 }, 3],
  [{ promo_price_cents: null, sale_price_cents: null, price_cents: null }, 0],
])('of %j is %i', (prices, cents) => {
  expect(priceAt(prices)).toBe(cents);
});

it('is the same in SQL as in the rule', async () => {
  const amount = () => (Math.random() < 0.4 ? null : Math.floor(Math.random() * 5) * 1999);
  const rows: Prices[] = Array.from({ length: 2000 }, () => ({
    promo_price_cents: amount(),
    sale_price_cents: amount(),
    price_cents: amount(),
  }));
  const { rows: priced } = await sql<{ cents: number }>`
    select ${PRICE} as cents
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, n) => ({ n, ...row })))}::jsonb)
        as r (n int, promo_price_cents int, sale_price_cents int, price_cents int)
      cross join lateral (select r.promo_price_cents) b cross join lateral (select r.sale_price_cents, r.price_cents) p
    order by n`.execute(tables.in(db));
  expect(priced.map(({ cents }) => cents)).toEqual(rows.map(priceAt));
});
