import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Bucket, openBucket } from '@tonerow/test-support/bucket.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameOf } from '../backup/places.ts';
import { readConfig } from '../config.ts';
import { diagnose } from './doctor.ts';
import { exitCodeOf, type Finding } from './finding.ts';

let server: TestServer;
let bucket: Bucket;
let smtp: SMTPServer;
let dataDir: string;
let env: Record<string, string>;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-doctor-'));
  bucket = await openBucket();
  smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  server = await startServer();
  // as a worker does within its first minute
  await server.db.query('update pgboss.version set cron_on = now()');
  const { port } = new URL(server.url);
  env = {
    PORT: port,
    DATABASE_URL: server.db.url,
    TONEROW_SECRET: TEST_SECRET,
    TONEROW_DATA_DIR: dataDir,
    TONEROW_PUBLIC_URL: server.url,
    SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as { port: number }).port}`,
    TONEROW_EMAIL_FROM: 'Tonerow <no-reply@example.com>',
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: 'tonerow',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    TONEROW_BACKUP_TO: `${dataDir}/backups,s3://elsewhere`,
  };
  const newest = nameOf(new Date());
  bucket.objects.set(`/elsewhere/${newest}`, { body: Buffer.from('x'), type: '' });
  await mkdir(path.join(dataDir, 'backups'));
  await writeFile(path.join(dataDir, 'backups', newest), 'x');
});
afterAll(async () => {
  await server.stop();
  bucket.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await rm(dataDir, { recursive: true, force: true });
});

const examined = (more: Record<string, string> = {}) => {
  const config = readConfig({ ...env, ...more });
  return diagnose({
    config: { ...config, databaseUrl: config.databaseUrl as string, secrets: config.secrets ?? [], dataDir },
  });
};
const of = (findings: readonly Finding[], check: string) =>
  findings.filter((each) => each.check === check).map(({ state }) => state);

it('an installation that is as it should be has nothing to do', async () => {
  const findings = await examined();
  // the database of the tests is faster than it is safe
  const others = findings.filter(({ check }) => check !== 'database');
  expect(others.filter(({ state }) => state === 'failed' || state === 'warning')).toEqual([]);
  expect(exitCodeOf(others)).toBe(0);
  expect([...new Set(findings.map(({ check }) => check))]).toEqual([
    'database',
    'schema',
    'secrets',
    'clock',
    'jobs',
    'webhooks',
    'money',
    'domains',
    'settings',
    'disk',
    'storage',
    'email',
    'server',
    'address',
    'backups',
    'update',
  ]);
  // the object that it wrote is gone
  expect([...bucket.objects.keys()].filter((key) => key.includes('doctor'))).toEqual([]);
  expect((await readdir(dataDir)).sort()).toEqual(['backups']);
});

it('finds what is wrong with each part, and leaves the others as they are', async () => {
  const nobody = await freePort();
  bucket.trouble('denied');
  const findings = await examined({
    TONEROW_SECRET: 'another secret than the one that sealed the database',
    SMTP_URL: `smtp://127.0.0.1:${nobody}`,
    PORT: String(nobody),
    TONEROW_PUBLIC_URL: `http://127.0.0.1:${nobody}`,
    TONEROW_BACKUP_TO: `${dataDir}/nothing,s3://elsewhere`,
  });
  bucket.trouble();
  for (const check of ['secrets', 'storage', 'email', 'server', 'address'])
    expect([check, of(findings, check)]).toEqual([check, ['failed']]);
  expect(of(findings, 'backups')).toEqual(['failed', 'failed']);
  for (const check of ['schema', 'jobs', 'webhooks', 'money', 'disk'])
    expect([check, of(findings, check)]).toEqual([check, ['ok']]);
  expect(findings.filter(({ state, todo }) => state === 'failed' && !todo)).toEqual([]);
  expect(exitCodeOf(findings)).toBe(1);
  expect(JSON.stringify(findings)).not.toContain('another secret');
}, 60_000);

it('without the database it finds that, and all that does not need one', async () => {
  const findings = await examined({ DATABASE_URL: `postgres://tonerow:hidden@127.0.0.1:${await freePort()}/tonerow` });
  expect(of(findings, 'database')).toEqual(['failed']);
  for (const check of ['schema', 'secrets', 'jobs', 'webhooks', 'domains'])
    expect(of(findings, check)).toEqual(['skipped']);
  for (const check of ['email', 'storage', 'disk']) expect(of(findings, check)).toEqual(['ok']);
  expect(JSON.stringify(findings)).not.toContain('hidden');
}, 60_000);

it('without a secret it examines the rest', async () => {
  const config = readConfig(env);
  const findings = await diagnose({
    config: { ...config, databaseUrl: config.databaseUrl as string, secrets: [], dataDir },
    withoutSecrets: 'The file is missing.',
  });
  expect(findings.filter(({ check }) => check === 'secrets')).toMatchObject([
    { state: 'failed', found: 'The file is missing.', todo: expect.stringContaining('Put the secret back') },
  ]);
  for (const check of ['schema', 'jobs', 'storage']) expect(of(findings, check)).toEqual(['ok']);
}, 60_000);

it('advises to start the server where the database runs with it', async () => {
  const config = readConfig({ ...env, DATABASE_URL: `postgres://tonerow@127.0.0.1:${await freePort()}/tonerow` });
  const findings = await diagnose({
    config: { ...config, databaseUrl: config.databaseUrl as string, secrets: config.secrets ?? [], dataDir },
    embedded: true,
  });
  expect(findings.find(({ check }) => check === 'database')?.todo).toMatch(/^Start the server/);
}, 60_000);

it('finds an empty database, and that the rest needs its tables', async () => {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await server.db.query(`create database ${name}`);
  try {
    const url = new URL(server.db.url);
    url.pathname = `/${name}`;
    const findings = await examined({ DATABASE_URL: url.toString() });
    expect(findings.find(({ check }) => check === 'schema')?.todo).toBe('Start the server, which makes its tables.');
    for (const check of ['secrets', 'jobs', 'webhooks', 'money', 'domains'])
      expect([check, of(findings, check)]).toEqual([check, ['skipped']]);
    const missing = await examined({ DATABASE_URL: url.toString().replace(name, 'nothing') });
    expect(missing.find(({ check }) => check === 'database')?.todo).toMatch(/^Create the database/);
  } finally {
    await server.db.query(`drop database ${name} with (force)`);
  }
}, 60_000);

it('finds that no worker runs', async () => {
  // the worker of the server looks twice a minute, which may be just now
  const silent = async () => {
    await server.db.query("update pgboss.version set cron_on = now() - interval '1 hour'");
    return of(await examined(), 'jobs');
  };
  await expect.poll(silent, { timeout: 40_000 }).toEqual(['failed']);
  await server.db.query('update pgboss.version set cron_on = now()');
  expect(of(await examined(), 'jobs')).toEqual(['ok']);
}, 60_000);

it('finds migrations that are missing, and those of a newer version', async () => {
  await server.db.query("insert into mikro_orm_migrations (name) values ('Migration20991231235959_newer')");
  expect((await examined()).find(({ check }) => check === 'schema')).toMatchObject({
    state: 'failed',
    found: expect.stringMatching(/^The database belongs to a newer version of the server/),
    todo: expect.stringMatching(/^Start the newer version/),
  });
  await server.db.query("delete from mikro_orm_migrations where name like '%newer'");
  expect(of(await examined(), 'schema')).toEqual(['ok']);
}, 60_000);
