import { openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PRICE } from '#features/products';
import { systemClock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { systemRandom } from '#platform/random.ts';
import { developerOf, productOf, seedTrade, type Trade } from '../../../../../scripts/bench/seeds/seed-resellers.ts';
import { type DrawOrder, handOut, handOutAlone } from './draw.queries.ts';
import { listOffers } from './selling/offers.queries.ts';
import { MOST_COUNTED } from './selling/selling.schemas.ts';
import { tables } from './tables.ts';

// A server with two pools and nothing else: each is half of all serials, so reading all of them seems cheap.

const STOCK = 20_000;
const random = systemRandom(systemClock);
const trades = [1, 2].map(
  (mark): Trade => ({
    ...{ resellerId: random.id(), developers: 1, partnerships: 1, redemptions: 100, open: STOCK, mark },
    when: "now() - interval '1 day'",
  }),
);

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  for (const trade of trades) await seedTrade(db, trade);
});
afterAll(() => database.drop());

it('hands a code out without reading the rest of its batch', async () => {
  const read: number[] = [];
  const explained: Sql = {
    async query(text, values = []) {
      read.push((await rowsRead(db, text, values)).all);
      return [];
    },
  };
  const [trade] = trades as [Trade];
  const partnership = await db.query('select id from partnerships where reseller_id = $1', [trade.resellerId]);
  const order: DrawOrder = {
    ...{
      id: random.id(),
      resellerId: trade.resellerId as string,
      productId: productOf(trade, 0),
      reference: 'order-1',
    },
    pool: {
      ...{ developer_id: developerOf(trade, 0), partnership_id: partnership.rows[0].id, status: 'active' },
      ...{ product_name: 'Plugin', low_stock_threshold: null },
    },
    ...{ batchTag: null, quantity: 1 },
  };
  await handOutAlone(explained, [order], systemClock.now(), new Map());
  const { rows: prices } = await db.query(
    `select ${tables.text(PRICE)} as cents from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) where b.partnership_id = $1`,
    [partnership.rows[0].id],
  );
  for (const locked of ['skip', 'wait'] as const) {
    await handOut(explained, [order], systemClock.now(), locked);
    await handOut(explained, [{ ...order, priceCents: prices[0].cents }], systemClock.now(), locked);
  }
  expect(read).toHaveLength(5);
  expect(Math.max(...read)).toBeLessThan(500);
});

it('lists what can be sold without counting all of it', async () => {
  const read: number[] = [];
  const sql = {
    async query(text: string, values: readonly unknown[] = []) {
      if (text.includes('reseller_developers')) return (await db.query(text, values as unknown[])).rows as never;
      read.push((await rowsRead(db, text, values)).all);
      return [];
    },
  };
  const [{ resellerId }] = trades as [Trade];
  const filter = { ...{ productId: undefined, search: undefined }, resellerId: resellerId as string };
  await listOffers(sql, { ...filter, now: systemClock.now() }, null, 60);
  expect(read[0]).toBeGreaterThan(MOST_COUNTED);
  expect(read[0]).toBeLessThan(STOCK / 4);
});
