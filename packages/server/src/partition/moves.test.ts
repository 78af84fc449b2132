import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { createPartitionedDatabase, PARTITIONS } from '@tonerow/test-support/partitioned.ts';
import { startServer, TEST_SECRET } from '@tonerow/test-support/server.ts';
import { tables } from '@tonerow/test-support/tables.ts';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { backup } from '../backup/backup.ts';
import { fileDraft } from '../backup/places.ts';
import { openBackup, restore } from '../backup/restore.ts';
import { withoutForeignKeys } from '../backup/tables.ts';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { sqlOf } from '../platform/db/database.ts';
import { partitionCount } from '../platform/db/partitions/mark.ts';
import { systemRandom } from '../platform/random.ts';
import { Secrets } from '../platform/secrets/secrets.ts';
import { partition } from './index.ts';

const now = new Date('2026-11-27T00:00:00Z');
const random = systemRandom(systemClock);
let folder: string;
let from: TestDatabase;
let code: string;
const made: TestDatabase[] = [];

const keep = (db: TestDatabase) => {
  made.push(db);
  return db;
};
const database = async () => keep(await createTestDatabase({ whole: true }));
const configOf = async (db: TestDatabase) => {
  const dataDir = await mkdtemp(path.join(folder, 'data-'));
  const config = readConfig({ TONEROW_DATA_DIR: dataDir, DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET });
  return { ...config, databaseUrl: db.url, directUrl: db.url, secrets: [TEST_SECRET] };
};
const save = async (db: TestDatabase, name: string) => {
  const target = path.join(folder, name);
  await backup({ config: await configOf(db), ownSecret: false, draft: await fileDraft(target), now });
  return target;
};
const load = async (file: string, db: TestDatabase, partitions?: number) =>
  restore(await openBackup(file, createReadStream(file)), {
    config: await configOf(db),
    secrets: new Secrets([TEST_SECRET], random),
    log: pino({ level: 'silent' }),
    now,
    id: random.id(),
    partitions,
  });
const sums = async (db: TestDatabase) => {
  const all: Record<string, unknown> = {};
  for (const name of Object.keys(tables).filter((each) => each !== 'restores'))
    all[name] = (
      await db.query(
        `select count(*)::int as n, md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as sum from ${name} r`,
      )
    )[0];
  return all;
};
const foreignKeys = (db: TestDatabase) =>
  db.query(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as key, convalidated from pg_constraint where contype = 'f'
     order by 1, 2`,
  );

/** Rows that refer to nothing are found when the keys are made, and nothing of them stays. */
async function refusesLostRows(db: TestDatabase) {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  try {
    await client.query('begin');
    const lost = () => client.query('update serials set batch_id = gen_random_uuid()');
    await expect(withoutForeignKeys(sqlOf(client), lost)).rejects.toMatchObject({ code: '23503' });
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  folder = path.join(inject('folder'), 'moves');
  await mkdir(folder, { recursive: true });
  from = await database();
  const server = await startServer({ db: from });
  try {
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 20 });
    code = serials[0]?.code as string;
    expect((await redeem(server, code, 'nina@example.com', ada.id)).status).toBe(200);
    const { body } = await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} });
    const license = { license_key: code, machine_id: 'studio', email: 'nina@example.com' };
    expect(
      (await call(server, 'POST', '/api/license/v1/activate', { token: body.plaintext, body: license })).status,
    ).toBe(200);
  } finally {
    await server.stop();
  }
}, 120_000);
afterAll(async () => {
  for (const db of made) await db.drop();
});

it('a backup of whole tables fills tables with partitions, and the other way round', async () => {
  const there = keep(await createPartitionedDatabase());
  const before = await foreignKeys(there);
  await load(await save(from, 'whole.backup'), there);
  expect(await sums(there)).toEqual(await sums(from));
  expect(await foreignKeys(there)).toEqual(before);
  await refusesLostRows(there);
  const spread = await there.query(
    'select tableoid::regclass::text as part from customers union select tableoid::regclass::text from serials',
  );
  expect(spread.map(({ part }) => part)).toEqual(expect.arrayContaining([expect.stringMatching(/^partition_\d\./)]));
  const back = await database();
  const file = await save(there, 'parts.backup');
  expect(await load(file, back, 0)).toMatchObject({ whole: null });
  expect(await partitionCount(back)).toBe(0);
  expect(await sums(back)).toEqual(await sums(from));
  // tables that triggers guard are guarded again, in each partition
  for (const db of [there, back])
    await expect(db.query("update redemptions set code = 'other'")).rejects.toThrow('append-only');
}, 120_000);

it('a backup gives empty tables as many partitions as it was made of, or what somebody wants', async () => {
  const file = path.join(folder, 'parts.backup');
  const again = await database();
  expect(await load(file, again)).toMatchObject({ whole: null });
  expect(await partitionCount(again)).toBe(PARTITIONS);
  expect(await sums(again)).toEqual(await sums(from));
  const other = await database();
  // a view of somebody's own keeps tables whole
  await other.query('create view mine as select id from serials');
  await expect(load(file, other, 2)).rejects.toThrow('mine');
  expect(await load(file, other)).toMatchObject({
    whole: { had: PARTITIONS, because: expect.stringContaining('mine') },
  });
  expect(await partitionCount(other)).toBe(0);
}, 120_000);

it('a run waits for a backup that reads the tables, and the backup has every row', async () => {
  const db = await database();
  await load(path.join(folder, 'whole.backup'), db);
  const before = await sums(db);
  const reader = new pg.Client({ connectionString: db.url });
  await reader.connect();
  // as a backup begins
  await reader.query('begin isolation level repeatable read read only');
  await reader.query('lock table customers, serials in access share mode');
  const reported: string[] = [];
  const exchanged: string[] = [];
  const stopping = new AbortController();
  const running = partition({
    url: db.url,
    by: 2,
    report: (words) => reported.push(words),
    agreed: () => true,
    signal: stopping.signal,
    onStep: (table, step) => {
      if (step !== 'swapped') return;
      exchanged.push(table);
      // the rest is as in any other run
      if (table === 'customers') stopping.abort();
    },
  });
  running.catch(() => undefined);
  await expect.poll(() => reported.join(''), { timeout: 60_000 }).toContain('waits for a transaction that uses it');
  expect(exchanged).not.toContain('customers');
  const { rows } = await reader.query('select count(*)::int as n from customers');
  expect(rows).toEqual([{ n: 1 }]);
  await reader.query('commit');
  await reader.end();
  await expect(running).rejects.toThrow('Stopped. Go on with: tonerow-server partition --by 2');
  expect(exchanged).toContain('customers');
  expect(await sums(db)).toEqual(before);
}, 120_000);
