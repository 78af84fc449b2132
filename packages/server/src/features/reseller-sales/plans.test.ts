import { openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, systemClock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { systemRandom } from '#platform/random.ts';
import { seedTrade } from '../../../../../scripts/bench/seed-resellers.ts';
import * as figures from './figures.queries.ts';

const random = systemRandom(systemClock);
const [settled, fresh] = [random.id(), random.id()];
const PARTNERSHIPS = 200;
const REDEMPTIONS = 4000;

describe('a reseller that is not in the statistics yet', () => {
  let database: Awaited<ReturnType<typeof openPlanDatabase>>;
  beforeAll(async () => {
    database = await openPlanDatabase();
    const { db } = database;
    const trade = { developers: PARTNERSHIPS, partnerships: 1, redemptions: REDEMPTIONS, open: 2 };
    const when = "now() - interval '20 days'";
    await seedTrade(db, { ...trade, resellerId: settled, when, mark: 1 });
    for (const table of ['partnerships', 'partner_days', 'partner_totals'])
      await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await seedTrade(db, { ...trade, resellerId: fresh, when, mark: 2, unanalyzed: true });
  });
  afterAll(() => database.drop());

  const now = systemClock.now();
  const begins = new Date(now.getTime() - 29 * DAY);
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const days = { from: day(begins), to: day(now), timeZone: 'UTC', begins, ends: now };
  const asked: Record<string, (sql: Sql, resellerId: string) => Promise<unknown>> = {
    'figures of 30 days': (sql, resellerId) => figures.sumUp(sql, { ...days, resellerId }),
    'the same by day': (sql, resellerId) => figures.sumByDay(sql, { ...days, resellerId }),
    'the same by developer': (sql, resellerId) => figures.sumByDeveloper(sql, { ...days, resellerId }, 12),
    'totals of all time': (sql, resellerId) => figures.totalsOf(sql, resellerId),
    'what there is of each product': (sql, resellerId) => figures.groupsOf(sql, resellerId, now, 100),
  };

  it.each(Object.entries(asked))('%s: each partnership is read once', async (_, ask) => {
    let read = 0;
    const explained: Pick<Sql, 'query'> = {
      query: async (text, values = []) => {
        read += (await rowsRead(database.db, text, values)).ofTables;
        return [];
      },
    };
    await ask(explained as Sql, fresh);
    expect(read).toBeLessThan(20 * PARTNERSHIPS);
  });
});
