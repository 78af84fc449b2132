import {
  addDeveloper,
  keepStatistics,
  nothingSeen,
  openPlanDatabase,
  watched,
} from '@tonerow/test-support/plan-rows.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import type { Door } from '#platform/db/work.ts';
import { systemRandom } from '#platform/random.ts';
import { seedLedger } from '../../../../../../scripts/bench/seeds/seed.ts';
import {
  analyze,
  developerOf,
  productOf,
  seedTrade,
  TABLES,
  type Trade,
} from '../../../../../../scripts/bench/seeds/seed-resellers.ts';
import { listSerials } from '../../serials/list/serial-list.queries.ts';
import { tables as serials } from '../../serials/tables.ts';
import { tables } from '../tables.ts';
import { findGiven, listRedeemed } from './product-detail.queries.ts';

// The statistics know of one account. Then a reseller sells one product of another developer thousands of times.

const known = '0199f000-0000-7000-8000-000000000001';
const resellerId = systemRandom(systemClock).id();
const sold: Trade = {
  ...{ resellerId, developers: 1, partnerships: 1, redemptions: 20_000, open: 10, mark: 2, unanalyzed: true },
  when: "now() - interval '1 day' + i * interval '1 ms'",
};
const developerId = developerOf(sold, 0);

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await keepStatistics(db, TABLES);
  await addDeveloper(db, known);
  await seedLedger(db, known, 30_000, 1);
  await analyze(db);
  await seedTrade(db, sold);
});
afterAll(() => database.drop());

it('shows a reseller the newest that were redeemed of a product without reading the others, page after page', async () => {
  const { rows } = await db.query('select id from partnerships where reseller_id = $1', [resellerId]);
  const [productId, partnershipId] = [productOf(sold, 0), rows[0].id];
  const seen = nothingSeen();
  const sql = tables.in(watched(db, seen));
  const product = { developer_id: developerId, partnership_id: partnershipId, product_id: productId };
  const batchIds = await findGiven(sql, product, {}, 'UTC');
  const filter = { developerId, partnershipId, productId, batchIds, people: true, search: undefined, now: new Date() };
  const first = await listRedeemed(sql, filter, null, 10);
  const last = first.at(-1);
  const second = await listRedeemed(sql, filter, { redeemedAt: last?.redeemed_at as Date, id: last?.id ?? '' }, 10);
  const moments = [...first, ...second].map(({ redeemed_at }) => Number(redeemed_at));
  expect(new Set(moments).size).toBe(20);
  expect(moments).toEqual([...moments].sort((a, b) => b - a));
  expect(seen.ofTables).toBeLessThan(1000);
});

it('shows the developer a page of the serials: each is looked up by its key', async () => {
  const seen = nothingSeen();
  const narrow = { state: undefined, productId: undefined, batchIds: undefined, search: undefined, now: new Date() };
  const { work } = serials.of(watched(db, seen) as Door);
  const page = await work({ tx: true, settings: BY_INDEX }, (sql) =>
    listSerials(sql, { developerId, ...narrow }, null, 21),
  );
  expect(page).toHaveLength(21);
  expect(seen.ofTables).toBeLessThan(500);
});
