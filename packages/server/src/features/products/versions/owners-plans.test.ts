import { openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedLedger } from '../../../../../../scripts/bench/seed.ts';
import { tables } from '../tables.ts';
import { BATCH, nextCustomers } from './owners.queries.ts';

// Owners are told of a version by an account of which the statistics know nothing yet, beside one that they know.

const SERIALS = 20_000;
const [known, telling] = ['01980000-0000-7000-8000-000000000001', '01980000-0000-7000-8000-000000000002'] as const;

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
beforeAll(async () => {
  database = await openPlanDatabase();
  const { db } = database;
  for (const table of ['customers', 'serials', 'batches', 'products'])
    await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
  for (const [mark, id] of [known, telling].entries()) {
    await db.query(
      `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
       values ($1, 'developer', $2, $2, '', 'A', 'B', now())`,
      [id, `${id}@example.com`],
    );
    await seedLedger(db, id, SERIALS, mark + 1, 0, id === known);
    if (id === known) await db.query('analyze');
  }
  await db.query('update customers set last_login_at = created_at');
});
afterAll(() => database.drop());

it.each(['before', 'after'])('reads what a customer owns by the customer, %s the statistics know it', async (when) => {
  const { db } = database;
  if (when === 'after') await db.query('analyze');
  const { rows: products } = await db.query('select id from products where developer_id = $1 limit 1', [telling]);
  const read: number[] = [];
  const explained = tables.in({
    async query(text, values = []) {
      read.push((await rowsRead(db, text, values)).all);
      return [];
    },
  });
  const place = { last_created_at: null, last_id: null };
  await nextCustomers(explained, telling, { productId: products[0].id, startedAt: new Date(), place });
  expect(read).toHaveLength(1);
  // each customer has four serials, and all of them together would be in the millions
  expect(read[0]).toBeGreaterThan(BATCH);
  expect(read[0]).toBeLessThan(5 * SERIALS);
});
