import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEATS } from './find-license.ts';

let db: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  db = await createTestDatabase();
  client = new pg.Client({ connectionString: db.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await db.drop();
});

it('looks licenses up by a plan that is made once, however many calls share the statement', async () => {
  for (let calls = 1; calls <= 30; calls += 1) {
    const [code, developer, machine] = ['CODE', randomUUID(), 'studio'].map((value) => Array(calls).fill(value));
    await client.query({ ...SEATS, values: [code, developer, machine] });
  }
  // as int4, which is a number however this process reads counts
  const { rows } = await client.query('select generic_plans::int, custom_plans::int from pg_prepared_statements');
  // PostgreSQL makes five plans for the arguments before it compares
  expect(rows).toEqual([{ generic_plans: 25, custom_plans: 5 }]);
});

it('finds a serial and its machine by their whole keys', async () => {
  await client.query('set enable_seqscan = off');
  await client.query('set plan_cache_mode = force_generic_plan');
  const { rows } = await client.query(`explain execute ${SEATS.name} ('{}', '{}', '{}')`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/serials_code_unique.*\n\s+Index Cond: \(\(code_key = .*developer_id = /);
  expect(plan).toMatch(/activations_machine_unique.*\n\s+Index Cond: .*serial_id = .*developer_id = .*machine_id = /);
});
