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

const asCitus = async (group: number) => {
  await db.query('create table if not exists pg_dist_local_group (groupid int)');
  await db.query('delete from pg_dist_local_group');
  await db.query('insert into pg_dist_local_group values ($1)', [group]);
};

it('a process connects to an ordinary PostgreSQL and to a coordinator, and refuses to start on a worker', async () => {
  const sql: Sql = { query: async (text, values) => db.query(text, values as unknown[]) as never };
  await refuseWorker(sql);
  await asCitus(0);
  await refuseWorker(sql);
  await asCitus(2);
  await expect(refuseWorker(sql)).rejects.toThrow(/leads to a worker/);
  await expect(startServer({ db })).rejects.toThrow(/leads to a worker/);
});
