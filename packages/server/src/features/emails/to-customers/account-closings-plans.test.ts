import { openBesideKnown } from '@tonerow/test-support/beside-known.ts';
import { explained } from '@tonerow/test-support/plan-rows.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tables } from '../tables.ts';
import { nextCustomers } from './account-closings.queries.ts';

// An account of which the statistics know nothing yet is closed.

const SERIALS = 20_000;

let database: Awaited<ReturnType<typeof openBesideKnown>>;
beforeAll(async () => {
  database = await openBesideKnown(SERIALS);
});
afterAll(() => database.drop());

it.each(['before', 'after'])('reads what a customer owns by the customer, %s the statistics know it', async (when) => {
  const { db, unknown } = database;
  if (when === 'after') await db.query('analyze');
  const read: number[] = [];
  const sql = tables.in(explained(db, ({ all }) => read.push(all)));
  await nextCustomers(sql, unknown, { told_created_at: null, told_id: null });
  expect(read).toHaveLength(1);
  // each customer has four serials, and all of them together would be in the millions
  expect(read[0]).toBeGreaterThan(2000);
  expect(read[0]).toBeLessThan(5 * SERIALS);
});
