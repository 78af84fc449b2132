import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PRICE, type Prices, priceAt, priceOf } from './price.ts';
import { tables } from './tables.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it.each([
  [{ paid_cents: 0, promo_price_cents: 1, sale_price_cents: 2, price_cents: 3 }, 0],
  [{ paid_cents: 7, promo_price_cents: 1, sale_price_cents: 2, price_cents: 3 }, 7],
  [{ paid_cents: null, promo_price_cents: 0, sale_price_cents: 2, price_cents: 3 }, 0],
  [{ paid_cents: null, promo_price_cents: null, sale_price_cents: 0, price_cents: 3 }, 0],
  [{ paid_cents: null, promo_price_cents: null, sale_price_cents: null, price_cents: 3 }, 3],
  [{ paid_cents: null, promo_price_cents: null, sale_price_cents: null, price_cents: null }, 0],
])('of %j is %i', (prices, cents) => {
  expect(priceAt(prices)).toBe(cents);
});

it('is the same in SQL as in the rule', async () => {
  const amount = () => (Math.random() < 0.4 ? null : Math.floor(Math.random() * 5) * 1999);
  const rows: Prices[] = Array.from({ length: 2000 }, () => ({
    paid_cents: amount(),
    promo_price_cents: amount(),
    sale_price_cents: amount(),
    price_cents: amount(),
  }));
  const { rows: priced } = await sql<{ cents: number; unsold: number }>`
    select ${priceOf('s')} as cents, ${PRICE} as unsold
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, n) => ({ n, ...row })))}::jsonb)
        as r (n int, paid_cents int, promo_price_cents int, sale_price_cents int, price_cents int)
      cross join lateral (select r.paid_cents) s cross join lateral (select r.promo_price_cents) b cross join lateral (select r.sale_price_cents, r.price_cents) p
    order by n`.execute(tables.in(db));
  expect(priced.map(({ cents }) => cents)).toEqual(rows.map(priceAt));
  expect(priced.map(({ unsold }) => unsold)).toEqual(rows.map((row) => priceAt({ ...row, paid_cents: null })));
});
