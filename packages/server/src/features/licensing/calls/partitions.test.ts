import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { createPartitionedDatabase, PARTITIONS } from '@tonerow/test-support/partitioned.ts';
import { addDeveloper } from '@tonerow/test-support/plan-rows.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '#platform/db/database.ts';
import { BulkGate } from '#platform/db/pools/bulk-gate.ts';
import { Lanes } from '#platform/db/pools/pools.ts';
import { createLogger } from '#platform/log.ts';
import { inLane, type LaneName } from '#platform/work-context.ts';
import { seedLedger } from '../../../../../../scripts/bench/seeds/seed.ts';
import { findSeats } from './seat-finder.ts';

/** Two of one partition each, and one of another. */
const developers: string[] = [];
const made: { db: TestDatabase; lanes: Lanes }[] = [];
let parts: Database;
let whole: Database;

/** A database by its lanes, with a single connection each. */
function open(db: TestDatabase): Database {
  const lanes = new Lanes({ url: db.url, sizes: { api: 1, licensing: 1, bulk: 1 }, log: createLogger('silent') });
  made.push({ db, lanes });
  return new Database(lanes, { gate: new BulkGate(1), pooled: false });
}

beforeAll(async () => {
  const partitioned = await createPartitionedDatabase();
  parts = open(partitioned);
  whole = open(await createTestDatabase({ whole: true }));
  const client = new pg.Client({ connectionString: partitioned.url });
  await client.connect();
  try {
    for (const remainder of [0, 0, 1]) developers.push(await ofPartition(client, remainder));
    for (const [at, id] of developers.entries()) {
      await addDeveloper(client, id);
      await seedLedger(client, id, 2000, at + 1, 1);
    }
  } finally {
    await client.end();
  }
}, 120_000);
afterAll(async () => {
  for (const { db, lanes } of made) {
    await lanes.close();
    await db.drop();
  }
});

/** A new id, of an account whose rows are in that partition. */
async function ofPartition(client: pg.Client, remainder: number): Promise<string> {
  for (;;) {
    const id = randomUUID();
    const { rows } = await client.query<{ there: boolean }>(
      "select satisfies_hash_partition('public.serials'::regclass, $1::int, $2::int, $3::uuid) as there",
      [PARTITIONS, remainder, id],
    );
    if (rows[0]?.there) return id;
  }
}

/** The plan cache mode of a lane's connection. */
const modeOf = (db: Database, lane: LaneName) =>
  inLane(lane, async () => (await db.query<{ plan_cache_mode: string }>('show plan_cache_mode'))[0]?.plan_cache_mode);

it('looks licenses up by plans that are made once per connection, however many accounts share a statement', async () => {
  const ask = (developerId: string) => ({ codeKey: 'SEED00000001', developerId, machineId: 'machine-1' });
  await inLane('licensing', async () => {
    for (let round = 0; round < 8; round += 1)
      for (const asking of [developers.slice(0, 1), developers.slice(0, 2), developers]) {
        const found = await findSeats(parts, asking.map(ask));
        expect(found.map((row) => row?.developer_id)).toEqual(asking);
      }
    const planned = await parts.query(
      `select name, generic_plans::int, custom_plans::int from pg_prepared_statements
       where name like 'licensing.seats%' order by name`,
    );
    expect(planned).toEqual(
      [1, 2, 4].map((width) => ({ name: `licensing.seats_of_${width}`, generic_plans: 8, custom_plans: 0 })),
    );
  });
});

it.each([
  ['one account', 1, 1],
  ['two of one partition', 2, 1],
  ['two of two partitions', 2, 2],
])('reads the partitions of those who ask alone: %s', async (_, width, read) => {
  const asking = developers.slice(read === 2 ? 1 : 0).slice(0, width);
  const questions = asking.map((developerId) => ({ codeKey: 'SEED00000001', developerId, machineId: 'machine-1' }));
  const plan = await inLane('licensing', async () => {
    await findSeats(parts, questions);
    const theirs = asking.map((id) => `'${id}'`).join(', ');
    const ids = width === 1 ? '' : `'{${asking}}', `;
    const rows = await parts.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) execute "licensing.seats_of_${width}" (${argumentsOf(width, ids, theirs)})`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  // partitions of serials and of activations
  expect([...plan.matchAll(/Subplans Removed: (\d+)/g)].map(([, n]) => Number(n))).toEqual([
    PARTITIONS - read,
    PARTITIONS - read,
  ]);
  expect(plan).not.toContain('Seq Scan');
});

/** The arguments in the order of the statement's text. */
function argumentsOf(width: number, ids: string, theirs: string): string {
  const keys = width === 1 ? `'{SEED00000001}', ` : `'{SEED00000001,SEED00000001}', `;
  const machines = width === 1 ? `'{machine-1}', ` : `'{machine-1,machine-1}', `;
  return `${keys}${ids}${machines}${width}, ${theirs}, ${theirs}`;
}

it('leaves it to PostgreSQL within transactions, in other lanes, and where tables are whole', async () => {
  const inside = (db: Database) =>
    inLane('licensing', () =>
      db.work({ tx: true, named: true }, async (sql) => (await sql.query('show plan_cache_mode'))[0]),
    );
  expect(await modeOf(parts, 'licensing')).toBe('force_generic_plan');
  expect(await inside(parts)).toEqual({ plan_cache_mode: 'auto' });
  const failed = inLane('licensing', () =>
    parts.work({ tx: true }, async () => Promise.reject(new Error('taken back'))),
  );
  await expect(failed).rejects.toThrow('taken back');
  expect(await modeOf(parts, 'licensing')).toBe('force_generic_plan');
  expect([await modeOf(parts, 'api'), await modeOf(parts, 'jobs')]).toEqual(['auto', 'auto']);
  expect([await modeOf(whole, 'licensing'), await inside(whole)]).toEqual(['auto', { plan_cache_mode: 'auto' }]);
});
