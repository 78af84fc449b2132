import { addDeveloper, keepStatistics, openPlanDatabase, rowsOf } from '@tonerow/test-support/plan-rows.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '#platform/db/database.ts';
import { seedLedger } from '../../../../../../scripts/bench/seeds/seed.ts';
import { type LowStockDependencies, noteLowStock, noteResellerLowStock, noteRestock } from './low-stock.ts';

// The rest of a product's stock is counted with every redemption. An account has a few large batches, of which the
// statistics know, and then makes many small ones, of which they do not: each small one is expected to be as large as
// the others.

const OLD = 30_000;
const BATCHES = 300;
const MADE = 10 * BATCHES;
const developerId = '0199f000-0000-7000-8000-000000000001';
const partnershipId = '0199f000-0000-7000-8000-000000000002';
const productId = '0199f000-0000-7000-8000-000000000003';
const deps: LowStockDependencies = {
  clock: { now: () => new Date() },
  events: { publish: async () => undefined },
  onLowStock: async () => undefined,
};

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await keepStatistics(db, ['serials', 'batches', 'products', 'partnerships', 'partner_low_stock']);
  await addDeveloper(db, developerId);
  await db.query(
    `insert into partnerships (id, developer_id, name, name_key, status, created_at) values ($1, $2, 'Shop', 'shop', 'named', now())`,
    [partnershipId, developerId],
  );
  await seedLedger(db, developerId, OLD, 1, 0, false);
  // nobody has redeemed these either; the serials of a few batches lie between each other
  await db.query('update serials set redeemed_at = null, customer_id = null');
  await db.query('vacuum full analyze serials');
  await db.query('analyze');
  await db.query(
    `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
     values ($1, $2, 'Many', 'many', '[]', '[]', false, 1000, 1, now(), now())`,
    [productId, developerId],
  );
  await db.query(
    `insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at)
     select gen_random_uuid(), $1, $2, $3, 'import', 10, now() from generate_series(1, ${BATCHES}) n`,
    [developerId, productId, partnershipId],
  );
  await db.query(
    `insert into serials (id, developer_id, batch_id, code, code_key)
     select gen_random_uuid(), $1, b.id, 'NEW-' || b.id || n, 'NEW' || b.id || n
     from batches b cross join generate_series(1, 10) n where b.product_id = $2`,
    [developerId, productId],
  );
});
afterAll(() => database.drop());

/** The rows that the statements of a work look at, each planned for its values or, as the twentieth of its kind is, for any. */
async function lookedAt(plan: 'custom' | 'generic', work: (sql: Sql) => Promise<unknown>): Promise<number> {
  let rows = 0;
  await db.query('begin');
  try {
    await db.query(`set local plan_cache_mode = force_${plan}_plan`);
    await work({
      async query(text: string, values: readonly unknown[] = []) {
        await db.query(`prepare asked as ${text}`);
        const quoted = values.map((each) => pg.escapeLiteral(each instanceof Date ? each.toISOString() : String(each)));
        const given = quoted.length > 0 ? `(${quoted.join(', ')})` : '';
        const explained = await db.query(`explain (analyze, timing off, format json) execute asked${given}`);
        await db.query('deallocate asked');
        rows += rowsOf(explained.rows[0]['QUERY PLAN'][0].Plan).all;
        return [];
      },
    });
  } finally {
    await db.query('rollback');
  }
  return rows;
}

const asked: Record<string, (sql: Sql) => Promise<unknown>> = {
  'what is left of a product': (sql) => noteLowStock(deps, sql, developerId, productId),
  'what a reseller has left of it': (sql) => noteResellerLowStock(deps, sql, { developerId, partnershipId, productId }),
  'whether there is enough again': (sql) => noteRestock(sql, developerId, new Date()),
};

describe.each(['before', 'after'])('%s the statistics know of the new batches', (when) => {
  beforeAll(async () => {
    if (when === 'after') await db.query('analyze');
  });

  describe.each([10, 1_000_000])('with a threshold of %i', (threshold) => {
    beforeAll(async () => {
      await db.query('update users set low_serials_threshold = $1', [threshold]);
      await db.query('update partnerships set low_stock_threshold = $1', [threshold]);
      await db.query('update products set low_serials_since = null where id = $1', [productId]);
    });

    it.each(Object.entries(asked))('%s: no batch is looked for among all serials', async (what, ask) => {
      if (what === 'whether there is enough again') {
        await db.query('update products set low_serials_since = now()');
        await db.query(
          `insert into partner_low_stock (developer_id, partnership_id, product_id, threshold, since)
           values ($1, $2, $3, $4, now()) on conflict do nothing`,
          [developerId, partnershipId, productId, threshold],
        );
      }
      for (const plan of ['custom', 'generic'] as const) {
        const rows = await lookedAt(plan, ask);
        // each batch and each open serial a few times
        expect(rows).toBeLessThan(8 * (OLD + MADE));
      }
    });
  });
});
