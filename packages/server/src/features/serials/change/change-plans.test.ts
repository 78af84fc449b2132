import { addDeveloper, keepStatistics, openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { type Sql, sqlOf } from '#platform/db/database.ts';
import { systemRandom } from '#platform/random.ts';
import { seedLedger } from '../../../../../../scripts/bench/seeds/seed.ts';
import { changeByBatch } from './by-batch.ts';
import { undoChanges } from './undo.ts';

// A new tenant on a server full of another one's rows, who takes a revocation back at once: the statistics know nothing of its
// serials, and nothing of what has just been written about them.

const OTHERS = 20_000;
const random = systemRandom(systemClock);
const deps = { clock: systemClock, events: { publish: async () => undefined }, onLowStock: async () => undefined };

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await keepStatistics(db, ['serials', 'serial_events', 'batches', 'products', 'webhook_events']);
  const other = await newDeveloper();
  await seedLedger(db, other, OTHERS, 1);
  await db.query(
    `insert into serial_events (developer_id, id, serial_id, kind, happened_at)
     select developer_id, gen_random_uuid(), id, 'downloaded', now() from serials`,
  );
  await db.query('analyze');
  // far more than the statistics know of are revoked, and none of them may be read
  await db.query('update serials set revoked_at = now()');
});
afterAll(() => database.drop());

async function newDeveloper(): Promise<string> {
  const id = random.id();
  await addDeveloper(db, id);
  return id;
}

async function addBatch(developerId: string, quantity: number): Promise<string> {
  const [productId, batchId] = [random.id(), random.id()];
  await db.query(
    `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
     values ($1, $2, 'Chorus', 'chorus', '[]', '[]', false, 1000, 1, now(), now())`,
    [productId, developerId],
  );
  await db.query(
    `insert into batches (id, developer_id, product_id, origin, quantity, created_at) values ($1, $2, $3, 'generate', $4, now())`,
    [batchId, developerId, productId, quantity],
  );
  await db.query(
    `insert into serials (id, developer_id, batch_id, code, code_key)
     select gen_random_uuid(), $1, $2, 'C-' || n, 'C' || n from generate_series(1, $3::int) n`,
    [developerId, batchId, quantity],
  );
  return batchId;
}

/** The most rows that one of its statements looked at. */
function watched(most: { rows: number }): Sql {
  return {
    client: db,
    async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
      most.rows = Math.max(most.rows, (await rowsRead(db, text, values)).all);
      return sqlOf(db).query<Row>(text, values);
    },
  };
}

it.each([2000, 8000])('takes %i revocations back, and that again, at a few rows for each', async (quantity) => {
  const developerId = await newDeveloper();
  const batchId = await addBatch(developerId, quantity);
  const at = (second: number) => new Date(Date.UTC(2026, 3, 10, 12, 0, second));
  const which = sql<boolean>`s.batch_id = ${batchId}`;
  const revoked = { developerId, action: 'revoke', now: at(0), which } as const;
  expect(await changeByBatch(sqlOf(db), revoked)).toMatchObject({ count: quantity });
  const most = { rows: 0 };
  const back = await undoChanges(deps, watched(most), { developerId, at: at(0), now: at(1) });
  expect(back).toEqual({ revoke: 0, reassign: quantity, skipped: 0 });
  const again = await undoChanges(deps, watched(most), { developerId, at: at(1), now: at(2) });
  expect(again).toEqual({ revoke: quantity, reassign: 0, skipped: 0 });
  expect(most.rows).toBeLessThan(29 * quantity);
});
