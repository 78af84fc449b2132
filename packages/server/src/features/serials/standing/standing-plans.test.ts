import { addDeveloper, keepStatistics, openPlanDatabase, rowsRead } from '@tonerow/test-support/plan-rows.ts';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#platform/access/access.ts';
import { systemClock } from '#platform/clock.ts';
import { type Sql, sqlOf } from '#platform/db/database.ts';
import { seedLedger } from '../../../../../../scripts/bench/seeds/seed.ts';
import { Standings } from './standing.queries.ts';

// A new account whose serials have a history and were refused, of which the statistics know nothing, on a server full of another one's.

const OTHERS = 20_000;
const SHOWN = 100;
const EACH = 20;
const developerId = '0199f000-0000-7000-8000-000000000001';
const other = '0199f000-0000-7000-8000-000000000002';

let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let db: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  db = database.db;
  await keepStatistics(db, ['serials', 'serial_events', 'license_refusals', 'activations', 'batches', 'products']);
  await addDeveloper(db, other);
  await seedLedger(db, other, OTHERS, 1, 1);
  await addHistory(other, 2);
  await db.query('analyze');
  await addDeveloper(db, developerId);
  await addSerials();
  await addHistory(developerId, EACH);
});
afterAll(() => database.drop());

async function addSerials(): Promise<void> {
  const [productId, batchId] = ['0199f000-0000-7000-8000-000000000003', '0199f000-0000-7000-8000-000000000004'];
  await db.query(
    `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
     values ($1, $2, 'Chorus', 'chorus', '[]', '[]', false, 1000, 1, now(), now())`,
    [productId, developerId],
  );
  await db.query(
    `insert into batches (id, developer_id, product_id, origin, quantity, created_at) values ($1, $2, $3, 'generate', $4, now())`,
    [batchId, developerId, productId, SHOWN],
  );
  await db.query(
    `insert into serials (id, developer_id, batch_id, code, code_key, download_count, max_activations, seats_used)
     select gen_random_uuid(), $1, $2, 'C-' || n, 'C' || n, 5, 1, 1 from generate_series(1, $3::int) n`,
    [developerId, batchId, SHOWN],
  );
  await db.query(
    `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
     select gen_random_uuid(), developer_id, id, 'M' || code, now(), now() - interval '1 day' from serials where developer_id = $1`,
    [developerId],
  );
}

/** As many downloads of each serial, and refusals. */
async function addHistory(id: string, each: number): Promise<void> {
  await db.query(
    `insert into serial_events (developer_id, id, serial_id, kind, happened_at)
     select developer_id, gen_random_uuid(), id, 'downloaded', now() - interval '1 day' from serials, generate_series(1, $2::int)
     where developer_id = $1`,
    [id, each],
  );
  await db.query(
    `insert into license_refusals (developer_id, id, at, action, status, serial_id, machine)
     select developer_id, gen_random_uuid(), now(), 'redeem', 'email_mismatch', id, 'none' from serials, generate_series(1, $2::int)
     where developer_id = $1`,
    [id, each],
  );
}

describe.each(['before', 'after'])('%s the statistics know of the account', (when) => {
  beforeAll(async () => {
    if (when === 'after') await db.query('analyze');
  });

  it('what keeps serials from being used is not looked for in all that the account has, for each serial', async () => {
    const { rows: serials } = await db.query<{ id: string }>('select id from serials where developer_id = $1', [
      developerId,
    ]);
    let looked = 0;
    const watched: Sql = {
      async query(text, values = []) {
        looked += (await rowsRead(db, text, values)).all;
        return sqlOf(db).query(text, values);
      },
    };
    const caller = { accountId: developerId, timeZone: 'UTC' } as Principal;
    const ids = serials.map(({ id }) => id);
    const found = await new Standings({ clock: systemClock }).ofSerials(watched, caller, ids);
    expect([...found.values()].map(({ code }) => code)).toEqual(Array(SHOWN).fill('seats_taken'));
    // all that the account has of it once, and each machine for each refusal
    expect(looked).toBeLessThan(SHOWN * EACH * 50);
  });
});
