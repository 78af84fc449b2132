import { openBesideKnown } from '@tonerow/test-support/beside-known.ts';
import { explained } from '@tonerow/test-support/plan-rows.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tables } from '../tables.ts';
import { BATCH, nextCustomers } from './owners.queries.ts';

// Owners are told of a version by an account of which the statistics know nothing yet.

const SERIALS = 20_000;

let database: Awaited<ReturnType<typeof openBesideKnown>>;
beforeAll(async () => {
  database = await openBesideKnown(SERIALS);
});
afterAll(() => database.drop());

it.each(['before', 'after'])('reads what a customer owns by the customer, %s the statistics know it', async (when) => {
  const { db, unknown } = database;
  if (when === 'after') await db.query('analyze');
  const { rows: products } = await db.query('select id from products where developer_id = $1 limit 1', [unknown]);
  const read: number[] = [];
  const sql = tables.in(explained(db, ({ all }) => read.push(all)));
  const place = { last_created_at: null, last_id: null };
  await nextCustomers(sql, unknown, { productId: products[0].id, startedAt: new Date(), place });
  expect(read).toHaveLength(1);
  // each customer has four serials, and all of them together would be in the millions
  expect(read[0]).toBeGreaterThan(BATCH);
  expect(read[0]).toBeLessThan(5 * SERIALS);
});
