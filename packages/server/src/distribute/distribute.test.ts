import path from 'node:path';
import { standInForCitus } from '@tonerow/test-support/citus-stand-in.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { startServer, TEST_SECRET } from '@tonerow/test-support/server.ts';
import { serverCommand } from '@tonerow/test-support/server-command.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spreadingNewTables } from '#platform/db/citus/new-tables.ts';
import { misplacedTables } from '#platform/db/citus/spread.ts';
import { createOrm } from '#platform/db/orm.ts';
import { migrate } from '#platform/db/schema/migrate.ts';
import { inLane } from '#platform/work-context.ts';
import { entities } from '../entities.ts';
import { spread } from '../spread.ts';
import { clusterLacks, unreached } from './cluster-checks.ts';
import { distribute, isFinished } from './distribute.ts';

const command = (db: TestDatabase, ...args: string[]) =>
  serverCommand(['distribute', ...args], { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET });

describe('on an ordinary PostgreSQL', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  it('is refused, and reports why', async () => {
    const { code, err } = await command(db);
    expect([code, err]).toEqual([1, expect.stringContaining('This is a PostgreSQL without Citus')]);
  });

  it.each([
    ['--coordinator', 'a b'],
    ['--shards', '0'],
  ])('refuses %s %s before anything else', async (option, value) => {
    const { code, err } = await command(db, option, value);
    expect([code, err]).toEqual([1, expect.stringContaining(`${option}: write `)]);
  });
});

describe('on a stand-in for Citus', () => {
  let db: TestDatabase;
  const reported: string[] = [];
  const address = { host: 'coordinator', port: 5432 };
  const go = () =>
    distribute(db, { spread, coordinator: address, shards: undefined, report: (line) => reported.push(line) });

  beforeAll(async () => {
    db = await createTestDatabase();
    await standInForCitus(db);
  });
  afterAll(() => db.drop());

  it('reports everything that the cluster lacks, with what mends it', async () => {
    await db.query("update pg_dist_node set gone = true where nodename = 'worker-2'");
    const lacks = await clusterLacks(db);
    await db.query('update pg_dist_node set gone = false');
    const words = lacks.map(({ what, mend }) => `${what} ${mend}`).join('\n');
    // the tests' PostgreSQL has neither
    expect(words).toMatch(/The coordinator cannot commit on several machines: .* alter system set max_prepared_trans/);
    expect(words).toMatch(/The worker worker-1:5432 lacks the extension\. There: create extension citus;/);
    expect(words).toMatch(/The worker worker-2:5432 does not answer: connection refused The coordinator goes to the/);
    const { code, out } = await command(db, '--coordinator', 'coordinator:5432');
    expect([code, out]).toEqual([1, expect.stringMatching(/^The cluster is not ready:/)]);
  });

  it('reports which machine does not reach which', async () => {
    expect(await unreached(db, address)).toEqual([]);
    await db.query("insert into pg_dist_node values ('cut-off', 5432, 3)");
    const ways = await unreached(db, { host: 'nowhere', port: 5432 });
    await db.query("delete from pg_dist_node where nodename = 'cut-off'");
    const words = ways.map(({ what }) => what);
    expect(words).toContain('The worker worker-1:5432 does not reach the coordinator at nowhere:5432.');
    expect(words).toContain('worker-1:5432 does not reach cut-off:5432.');
  });

  it('is refused on a worker, and so is a server', async () => {
    await db.query('update pg_dist_local_group set groupid = 1');
    const { code, err } = await command(db, '--coordinator', 'coordinator:5432');
    expect([code, err]).toEqual([1, expect.stringContaining('DATABASE_URL leads to a worker of a Citus cluster')]);
    await expect(startServer({ db })).rejects.toThrow('DATABASE_URL leads to a worker of a Citus cluster');
    await db.query('update pg_dist_local_group set groupid = 0');
  });

  it('makes every table what it should be, in an order that foreign keys allow', async () => {
    const tenants = Object.values(spread).filter((kind) => kind !== 'local').length;
    expect(await go()).toBe(tenants);
    expect(reported).toHaveLength(tenants);
    expect(await misplacedTables(db, spread)).toEqual([]);
    expect(await db.query('select nodename as host, nodeport as port from pg_dist_node where groupid = 0')).toEqual([
      address,
    ]);
    const adopted = await db.query(
      "select 1 from pg_dist_partition where logicalrelid = 'email_verifications'::regclass",
    );
    expect([adopted.length, await isFinished(db, spread)]).toEqual([1, true]);
  });

  it('continues where it was stopped, and does nothing where it is done', async () => {
    await db.query("delete from pg_dist_partition where logicalrelid in ('users'::regclass, 'trials'::regclass)");
    expect(await isFinished(db, spread)).toBe(false);
    reported.length = 0;
    expect(await go()).toBe(2);
    expect(reported).toEqual(['users: on every machine', 'trials: distributed by account']);
    expect(await go()).toBe(0);
  });

  it('spreads a new table of a migration at once, and refuses one that is not what it should be', async () => {
    const folder = path.resolve('migrations');
    const orm = createOrm({ url: db.url, entities, log: pino({ level: 'silent' }), migrationsFolder: folder });
    const planted = { ...spread, planted_reference: 'reference' as const };
    const made = async (name: string) => {
      const key = 'developer_id uuid not null, id uuid not null, primary key (id, developer_id)';
      await orm.em.getDriver().execute(`create table "${name}" (${key})`);
    };
    try {
      await db.query('delete from pg_dist_node where groupid = 0');
      await inLane('migration', () =>
        spreadingNewTables(planted, async () => {
          await made('planted_tenant');
          await made('planted_reference');
          await orm.em.getDriver().execute('create table "planted_local" (id uuid primary key)');
        }),
      );
      const kinds = await db.query(
        `select logicalrelid::text as name, partmethod as method from pg_dist_partition where logicalrelid::text like 'planted%' order by 1`,
      );
      expect(kinds).toEqual([
        { name: 'planted_reference', method: 'n' },
        { name: 'planted_tenant', method: 'h' },
      ]);
      await made('planted_forgotten');
      await expect(migrate(orm, { url: db.url, folder, spread: planted })).rejects.toThrow(
        'planted_forgotten (local, and should be tenant). Stop the server and run: tonerow-server distribute',
      );
    } finally {
      await orm.close(true);
    }
  });
});
