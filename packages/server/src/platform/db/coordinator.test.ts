import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuseWorker } from './coordinator.ts';
import type { Sql } from './sql.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const asCitus = (coordinator: boolean) =>
  db.query(`create or replace function citus_is_coordinator() returns boolean language sql as 'select ${coordinator}'`);

it('a process connects to an ordinary PostgreSQL and to a coordinator, and refuses to start on a worker', async () => {
  const sql: Sql = { query: async (text, values) => db.query(text, values as unknown[]) as never };
  await refuseWorker(sql);
  await asCitus(true);
  await refuseWorker(sql);
  await asCitus(false);
  await expect(refuseWorker(sql)).rejects.toThrow(/leads to a worker/);
  await expect(startServer({ db })).rejects.toThrow(/leads to a worker/);
});
