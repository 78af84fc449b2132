import { openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, systemClock } from '#platform/clock.ts';
import { type Sql, sqlOf } from '#platform/db/database.ts';
import { systemRandom } from '#platform/random.ts';
import { analyze, seedTrade } from '../../../../../scripts/bench/seeds/seed-resellers.ts';
import * as figures from './figures.queries.ts';
import { type Seller, sellerOf } from './partners.ts';

const random = systemRandom(systemClock);
const REDEMPTIONS = 4000;
/** Statements name each of few developers. */
const SIZES = [
  { size: 'many developers', partnerships: 200, mark: 2, resellerId: random.id() },
  { size: 'few developers', partnerships: 60, mark: 3, resellerId: random.id() },
];

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
beforeAll(async () => {
  database = await openPlanDatabase();
  const { db } = database;
  const trade = { partnerships: 1, redemptions: REDEMPTIONS, open: 2, when: "now() - interval '20 days'" };
  await seedTrade(db, { ...trade, developers: 200, resellerId: random.id(), mark: 1 });
  for (const table of ['partnerships', 'partner_days', 'partner_totals', 'reseller_developers'])
    await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
  for (const { partnerships: developers, resellerId, mark } of SIZES)
    await seedTrade(db, { ...trade, developers, resellerId, mark, unanalyzed: true });
});
afterAll(() => database.drop());

const now = systemClock.now();
const begins = new Date(now.getTime() - 29 * DAY);
const day = (at: Date) => at.toISOString().slice(0, 10);
const days = { from: day(begins), to: day(now), timeZone: 'UTC', begins, ends: now };
const asked: Record<string, (sql: Sql, seller: Seller) => Promise<unknown>> = {
  'figures of 30 days': (sql, seller) => figures.sumUp(sql, { ...days, ...seller }),
  'the same by day': (sql, seller) => figures.sumByDay(sql, { ...days, ...seller }),
  'the same by developer': (sql, seller) => figures.sumByDeveloper(sql, { ...days, ...seller }, 12),
  'totals of all time': (sql, seller) => figures.totalsOf(sql, seller),
  'what there is of each product': (sql, seller) => figures.groupsOf(sql, seller, now, 100),
};

describe.each(['is not in the statistics yet', 'is in the statistics'])('a reseller that %s', (state) => {
  beforeAll(async () => {
    if (state === 'is in the statistics') await analyze(database.db);
  });

  describe.each(SIZES)('of $size', ({ partnerships, resellerId }) => {
    it.each(Object.entries(asked))('%s: each partnership is read once', async (_, ask) => {
      let read = 0;
      const explained: Pick<Sql, 'query'> = {
        query: async (text, values = []) => {
          read += (await rowsRead(database.db, text, values)).ofTables;
          return [];
        },
      };
      const seller = await sellerOf(sqlOf(database.db), resellerId);
      expect(seller.developers).toHaveLength(partnerships);
      await ask(explained as Sql, seller);
      expect(read).toBeLessThan(25 * partnerships);
    });
  });
});
