import { createTestDatabase, isCluster, type TestDatabase } from '@tonerow/test-support/database.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sqlOf } from '#platform/db/database.ts';
import { beginAtOneMoment, isOnManyMachines } from './moment.ts';

let db: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  client = new pg.Client({ connectionString: db.url });
  await client.connect();
});
afterEach(() => client.end());

const tables = ['announcements', 'products'];
const ANNOUNCE = `insert into announcements (id, subject, body, audience, recipients, created_at)
  values (gen_random_uuid(), 'Hello', 'World', 'everybody', 0, now())`;
const read = async () => (await client.query<{ n: number }>('select count(*)::int as n from announcements')).rows[0]?.n;

it('one machine has one moment, and several are known by the extension', async () => {
  expect(await isOnManyMachines(sqlOf(client))).toBe(isCluster());
  expect(await isOnManyMachines({ query: async () => [{ citus: true }] as never })).toBe(true);
  expect(await beginAtOneMoment({ client, url: db.url, tables }, false)).toBe('one');
});

it('of several, all begin to read while nobody writes, and whoever waited writes afterwards', async () => {
  const before = (await db.query('select 1 from announcements')).length;
  expect(await beginAtOneMoment({ client, url: db.url, tables }, true)).toBe('one');
  await db.query(ANNOUNCE);
  expect(await read()).toBe(before);
});

it('where somebody writes for longer than is waited, each has its own moment, and that is reported', async () => {
  const writer = new pg.Client({ connectionString: db.url });
  await writer.connect();
  try {
    await writer.query('begin');
    await writer.query(ANNOUNCE);
    expect(await beginAtOneMoment({ client, url: db.url, tables }, true, 1)).toBe('each_machine');
    expect(await read()).toBeTypeOf('number');
  } finally {
    await writer.end();
  }
});
