import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { exemptFromTenantRules } from '@tonerow/test-support/tenant-gate.ts';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backup } from '../../packages/server/src/backup/backup.ts';
import { fileDraft } from '../../packages/server/src/backup/places.ts';
import { openBackup, restore } from '../../packages/server/src/backup/restore.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { entities } from '../../packages/server/src/entities.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { createOrm } from '../../packages/server/src/platform/db/orm.ts';
import { completing } from '../../packages/server/src/platform/db/partitions/mark.ts';
import { migrate } from '../../packages/server/src/platform/db/schema/migrate.ts';
import { migrationsIn } from '../../packages/server/src/platform/db/schema/schema-state.ts';
import { systemRandom } from '../../packages/server/src/platform/random.ts';
import { Secrets } from '../../packages/server/src/platform/secrets/secrets.ts';
import { spread } from '../../packages/server/src/spread.ts';

// An earlier version is the one of today without its latest migrations: a folder of the others' names, and a database on which they ran.

const FILLS = 'Migration20261127032503_reseller_developers';
const clock = new TestClock('2026-11-27T12:00:00Z');
const random = systemRandom(clock);
const log = pino({ level: 'silent' });
const id = (n: number) => `01990000-0000-7000-8000-00000000003${n}`;
const current = path.resolve('migrations');

let folder: string;
let file: string;
let earlier: string[];
let later: string[];
const databases: TestDatabase[] = [];

const database = async () => {
  const db = await createTestDatabase({ whole: true });
  exemptFromTenantRules(db);
  databases.push(db);
  return db;
};
const ormOf = (db: TestDatabase, migrationsFolder = current) =>
  createOrm({ url: db.url, entities, log, migrationsFolder });
const configOf = (db: TestDatabase) => ({
  ...readConfig({ TONEROW_DATA_DIR: path.join(folder, 'none'), DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET }),
  databaseUrl: db.url,
  directUrl: db.url,
  secrets: [TEST_SECRET],
});
const restoreInto = async (db: TestDatabase, from = file, migrations = current) =>
  restore(await openBackup(from, createReadStream(from)), {
    config: configOf(db),
    secrets: new Secrets([TEST_SECRET], random),
    log,
    now: clock.now(),
    id: random.id(),
    folder: migrations,
  });
/** A version that has these migrations: those of today are read, others have this text. */
const versionOf = async (name: string, migrations: readonly string[], text = '') => {
  const place = path.join(folder, name);
  await mkdir(place);
  for (const each of migrations) await writeFile(path.join(place, `${each}.ts`), text);
  return place;
};
const ran = async (db: TestDatabase) =>
  (await db.query<{ name: string }>('select name from mikro_orm_migrations')).map(({ name }) => name).sort();

beforeAll(async () => {
  await mkdir('.cache', { recursive: true });
  // where a migration finds its packages
  folder = await mkdtemp(path.resolve('.cache', 'older-backup-'));
  const all = await migrationsIn(current);
  earlier = all.filter((name) => name < FILLS);
  later = all.filter((name) => name >= FILLS);
  const db = await database();
  const orm = ormOf(db);
  await orm.migrator.down({ migrations: later });
  await orm.close(true);
  for (const [n, role] of [
    [1, 'developer'],
    [2, 'reseller'],
  ] as const)
    await db.query(
      `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
       values ($1::uuid, $2, $1::text, $1::text, '', 'A', 'B', now())`,
      [id(n), role],
    );
  await db.query(
    `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
     values ($1::uuid, $2, $3, 'Shop', 'shop', 'active', now())`,
    [id(3), id(1), id(2)],
  );
  file = path.join(folder, 'earlier.backup');
  const target = { config: configOf(db), ownSecret: false, draft: await fileDraft(file), now: clock.now() };
  await backup({ ...target, folder: await versionOf('earlier', earlier) });
});
afterAll(async () => {
  for (const db of databases) await db.drop();
  await rm(folder, { recursive: true, force: true });
});

it('is restored as it was made, and then brought up to date: migrations find its rows', async () => {
  const db = await database();
  const { migrated } = await restoreInto(db);
  expect(migrated).toEqual(later);
  expect(await ran(db)).toEqual([...earlier, ...later]);
  expect(await db.query('select reseller_id, developer_id from reseller_developers')).toEqual([
    { reseller_id: id(2), developer_id: id(1) },
  ]);
  expect(await db.query('select backup_at from restores')).toEqual([{ backup_at: clock.now() }]);
  const orm = ormOf(db);
  expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  await orm.close(true);
});

it('is whole even when a migration fails on it, which is reported; the next run of migrations goes on', async () => {
  const db = await database();
  const broken = await versionOf('broken', []);
  for (const name of earlier)
    await writeFile(path.join(broken, `${name}.ts`), `export * from '${current}/${name}.ts';\n`);
  await writeFile(
    path.join(broken, 'Migration20991231000000_fails.ts'),
    `import { Migration } from '@mikro-orm/migrations';
     export class Migration20991231000000_fails extends Migration {
       override up() { this.addSql('select 1 / 0'); }
       override down() {}
     }\n`,
  );
  // as a new version finds an empty database
  const emptied = ormOf(db);
  await emptied.migrator.down({ migrations: later });
  await emptied.close(true);
  await expect(restoreInto(db, file, broken)).rejects.toThrow(
    /was restored as it was made, but it could not be brought up to date: .*division by zero.*tonerow-server migrate/s,
  );
  expect(await ran(db)).toEqual(earlier);
  expect(await db.query('select status from partnerships')).toEqual([{ status: 'active' }]);
  const orm = ormOf(db);
  expect(await migrate(orm, { url: db.url, folder: current, spread })).toEqual(later);
  await orm.close(true);
  expect(await db.query('select 1 from reseller_developers')).toHaveLength(1);
});

it('is refused, and nothing is touched, where the version does not have its migrations, or they are too old', async () => {
  const db = await database();
  const before = await ran(db);
  const lacks = await versionOf('lacks', [...earlier.slice(0, -1), ...later]);
  await expect(restoreInto(db, file, lacks)).rejects.toThrow(/^An older version of the server made this backup/);
  const behind = await versionOf('behind', earlier.slice(0, -1));
  await expect(restoreInto(db, file, behind)).rejects.toThrow(/^A newer version of the server made this backup/);
  const opened = await openBackup(file, createReadStream(file));
  const first = { ...opened, header: { ...opened.header, migrations: earlier.slice(0, 3) } };
  const options = {
    config: configOf(db),
    secrets: new Secrets([TEST_SECRET], random),
    log,
    now: clock.now(),
    id: id(9),
  };
  await expect(restore(first, options)).rejects.toThrow('This backup is from before version 0.1.0.');
  expect(await ran(db)).toEqual(before);
});

it('is refused in words where the tables have partitions already', async () => {
  const db = await database();
  await db.query('create schema partition_0');
  await db.query(completing);
  await expect(restoreInto(db)).rejects.toThrow('the tables here have partitions already');
  expect(await ran(db)).toEqual([...earlier, ...later]);
});
