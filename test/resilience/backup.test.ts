import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBucket } from '@tonerow/test-support/bucket.ts';
import { run } from '@tonerow/test-support/command.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { execa } from 'execa';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { embeddedUrl } from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts';

let folder: string;
let file: string;
let server: ServerProcess;
let ada: Person;
let key: string;
let code: string;
let serialCount: number;
/** Each table's sum before the backup, and after it: a running server goes on writing, and its jobs run by the clock. */
const backedUp = new Map<string, (string | undefined)[]>();

const command = (dataDir: string, args: string[], more: Record<string, string> = {}) => {
  const { DATABASE_URL: _, TONEROW_SECRET: __, ...env } = process.env;
  return run(process.execPath, ['packages/server/dist/bin.js', ...args], {
    env: { ...env, TONEROW_DATA_DIR: dataDir, ...more },
    extendEnv: false,
  });
};
const activate = (to: { url: string }, machine_id: string) =>
  call(to, 'POST', '/api/license/v1/activate', {
    headers: { authorization: `Bearer ${key}` },
    body: { license_key: code, machine_id, email: 'nina@example.com' },
  });
/** Rows of tables that seats are counted in second by second, and what belongs to one installation, are not compared. */
const OWN = new Set(
  'mikro_orm_migrations restores sessions plugin_keys plugin_key_days activations seat_changes seat_counts seat_machines seat_sums machine_sums'.split(
    ' ',
  ),
);
const sumsOf = (url: string) =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ t: string }>(
      "select tablename as t from pg_tables where schemaname = 'public'",
    );
    const sums = new Map<string, string>();
    for (const { t } of rows.filter((row) => !OWN.has(row.t))) {
      const text = `select count(*) || ' ' || md5(coalesce(string_agg(r::text, '|' order by r::text), '')) as sum from "${t}" r`;
      sums.set(t, (await client.query<{ sum: string }>(text)).rows[0]?.sum as string);
    }
    return sums;
  });
const foreignKeysOf = (url: string) =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ key: string }>(
      `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) as key from pg_constraint
       where contype = 'f' and convalidated and connamespace = 'public'::regnamespace order by 1`,
    );
    return rows.map(({ key }) => key);
  });
const connected = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
const stop = async (one: ServerProcess) => {
  one.child.kill('SIGTERM');
  await one.ended();
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-backup-'));
  file = path.join(folder, 'monday.backup');
  server = await spawnServer();
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token, {
    name: 'Ünïcode "quoted"',
    short_desc: 'With a\ttab',
    max_activations: 2,
  });
  const serials = await makeSerials(server, ada.token, product.id, { quantity: 50 });
  serialCount = serials.length;
  code = serials[0]?.code as string;
  await redeem(server, serials[1]?.code as string, 'ella@example.com');
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  expect((await activate(server, 'studio')).body.status).toBe('active');
  await activate(server, 'stage');
  await activate(server, 'one too many');
  const kept = path.join(server.dataDir, 'files/images');
  await mkdir(kept, { recursive: true });
  await writeFile(path.join(kept, '01a200c1-67d2-7000-810c-ecea2383c2b4.webp'), Buffer.alloc(3_000_000, 7));
});
afterAll(async () => {
  await stop(server);
  for (const place of [folder, server.dataDir]) await rm(place, { recursive: true, force: true });
});

it('a backup beside a running server restores into an empty folder: database, files and secret', async () => {
  const before = await sumsOf((await embeddedUrl(server.dataDir)) as string);
  const made = await command(server.dataDir, ['backup', file]);
  expect(made, made.err).toMatchObject({ code: 0 });
  expect(made.out).toContain('and 1 files.');
  const after = await sumsOf((await embeddedUrl(server.dataDir)) as string);
  for (const [table, sum] of before) backedUp.set(table, [sum, after.get(table)]);
  expect((await stat(file)).mode & 0o077).toBe(0);
  const dataDir = path.join(folder, 'restored');
  const restored = await command(dataDir, ['restore', file]);
  expect(restored, restored.err).toMatchObject({ code: 0 });
  expect(await readFile(path.join(dataDir, 'secret'), 'utf8')).toBe(
    await readFile(path.join(server.dataDir, 'secret'), 'utf8'),
  );
  const image = 'files/images/01a200c1-67d2-7000-810c-ecea2383c2b4.webp';
  expect((await readFile(path.join(dataDir, image))).equals(Buffer.alloc(3_000_000, 7))).toBe(true);
  const again = await spawnServer({ dataDir });
  try {
    // the session, the signing key and the seats are those of before
    expect((await activate(again, 'studio')).body.status).toBe('active');
    expect((await activate(again, 'third')).body.status).toBe('seat_limit');
    const list = await call(again, 'GET', '/api/serials', { token: ada.token });
    expect([list.status, list.body.total]).toEqual([200, serialCount]);
    // and new rows follow the restored ones
    const products = await call(again, 'GET', '/api/products', { token: ada.token });
    expect(products.text).toContain('Ünïcode');
    await makeSerials(again, ada.token, (await makeProduct(again, ada.token)).id);
    const second = await command(dataDir, ['restore', file]);
    expect(second.code).toBe(1);
    expect(second.err).toContain('already running on this data folder');
  } finally {
    await stop(again);
  }
  const full = await command(dataDir, ['restore', file]);
  expect([full.code, full.err]).toEqual([1, expect.stringContaining('The database is not empty')]);
  // without a server, the database is started for it
  const later = path.join(folder, 'later.backup');
  expect((await command(dataDir, ['backup', later])).code).toBe(0);
  const first = await readFile(later);
  const refused = await command(dataDir, ['backup', later]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('never replaces another one')]);
  expect((await readFile(later)).equals(first)).toBe(true);
  // and for every other command
  const granted = await command(dataDir, ['admin', 'grant', ada.email]);
  expect([granted.code, granted.out]).toEqual([0, `${ada.email} is now an admin.\n`]);
  const nothing = path.join(folder, 'nothing');
  const none = await command(nothing, ['admin', 'grant', ada.email]);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('No server has run on')]);
  await expect(stat(nothing)).rejects.toThrow('ENOENT');
}, 180_000);

it('goes to a folder and to a bucket elsewhere, of which each keeps the newest, and restores from there', async () => {
  const bucket = await openBucket();
  const places = path.join(folder, 'nightly');
  const elsewhere = {
    TONEROW_BACKUP_TO: `${places},s3://elsewhere/tonerow`,
    TONEROW_BACKUP_S3_ENDPOINT: bucket.endpoint,
    TONEROW_BACKUP_S3_ACCESS_KEY_ID: 'id',
    TONEROW_BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
  };
  try {
    await mkdir(places);
    await writeFile(path.join(places, 'tonerow-2020-01-01T03-00-00Z.backup'), 'old');
    const made = await command(server.dataDir, ['backup', '--keep', '1'], elsewhere);
    expect(made, made.err).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain('1 older ones were deleted.');
    const [name, ...more] = await readdir(places);
    expect([name, more]).toEqual([expect.stringMatching(/^tonerow-\S+Z\.backup$/), []]);
    expect([...bucket.objects.keys()]).toEqual([`/elsewhere/tonerow/${name}`]);
    const dataDir = path.join(folder, 'from-elsewhere');
    const restored = await command(dataDir, ['restore', `s3://elsewhere/tonerow/${name}`], elsewhere);
    expect(restored, restored.err).toMatchObject({ code: 0 });
    expect(restored.out).toContain('and 1 files.');
    // by a schedule there is nothing to do, until somebody stops it
    const scheduled = execa(
      process.execPath,
      ['packages/server/dist/bin.js', 'backup', '--schedule', '0 3 * * *', '--keep', '1'],
      { env: { ...elsewhere, TONEROW_DATA_DIR: server.dataDir, DATABASE_URL: undefined }, reject: false, all: true },
    );
    await once(scheduled.stdout, 'data');
    scheduled.kill('SIGTERM');
    const ended = await scheduled;
    expect([ended.exitCode, ended.all]).toEqual([0, expect.stringContaining('backups are made by a schedule')]);
    expect(await readdir(places)).toEqual([name]);
  } finally {
    bucket.close();
  }
}, 180_000);

it('a running installation is examined in words and for scripts, with what to do', async () => {
  const words = await command(server.dataDir, ['doctor'], { PORT: new URL(server.url).port, TONEROW_POOLSIZE: '3' });
  expect([words.code, words.err]).toEqual([2, '']);
  expect(words.out).toContain(
    'warning  settings  TONEROW_POOLSIZE is set, but is no setting of the server. Did you mean',
  );
  expect(words.out).toContain('ok       database  PostgreSQL 18');
  const json = await command(server.dataDir, ['doctor', '--json'], { PORT: new URL(server.url).port });
  const { failed, warnings, findings } = JSON.parse(json.out) as {
    failed: number;
    warnings: number;
    findings: object[];
  };
  expect([json.code, failed, warnings]).toEqual([2, 0, 2]);
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'email', state: 'warning', todo: expect.any(String) }),
  );
  const nothing = await command(path.join(folder, 'nothing'), ['doctor']);
  expect([nothing.code, nothing.out]).toEqual([1, expect.stringContaining('No server has run on')]);
}, 60_000);

it('moves to a PostgreSQL of its own, with the same rows, and needs the secret that sealed them', async () => {
  const admin = new pg.Client({ connectionString: inject('databaseServer') });
  await admin.connect();
  const name = `restore_${process.pid}`;
  await admin.query(`create database ${name}`);
  const url = new URL(inject('databaseServer'));
  url.pathname = `/${name}`;
  try {
    const dataDir = path.join(folder, 'moved');
    const settings = { DATABASE_URL: url.toString(), TONEROW_SECRET: TEST_SECRET };
    const wrong = await command(dataDir, ['restore', file], settings);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/The secret [0-9a-f]{12} .* is missing/)]);
    const secret = (await readFile(path.join(server.dataDir, 'secret'), 'utf8')).trim();
    const moved = await command(dataDir, ['restore', file], { ...settings, TONEROW_SECRET: secret });
    expect(moved, moved.err).toMatchObject({ code: 0 });
    const there = await sumsOf(url.toString());
    expect([...there.keys()].sort()).toEqual([...backedUp.keys()].sort());
    expect([...there].filter(([table, sum]) => !backedUp.get(table)?.includes(sum))).toEqual([]);
    expect(await foreignKeysOf(url.toString())).toEqual(
      await foreignKeysOf((await embeddedUrl(server.dataDir)) as string),
    );
    // the sums of seats come once: what the restore inserts is not noted again
    const seats = await connected(url.toString(), (client) =>
      client.query(
        `select (select count(*)::int from activations where released_at is null) as held,
           (select coalesce(sum(seats), 0)::int from seat_changes) + (select coalesce(sum(seats), 0)::int from seat_sums) as counted`,
      ),
    );
    expect(seats.rows).toEqual([{ held: 2, counted: 2 }]);
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}, 120_000);

it('a backup that is cut off or damaged restores nothing', async () => {
  const whole = await readFile(file);
  const cut = path.join(folder, 'cut.backup');
  await writeFile(cut, whole.subarray(0, whole.length - 200));
  const dataDir = path.join(folder, 'cut');
  const refused = await command(dataDir, ['restore', cut]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`${cut} is cut off`)]);
  expect(refused.err).toMatch(/ Nothing was restored\.\n$/);
  // no database, no secret: any other backup may come next
  await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  expect((await command(dataDir, ['restore', path.join(process.cwd(), 'package.json')])).code).toBe(1);
  // and the same folder takes the whole one
  const restored = await command(dataDir, ['restore', file]);
  expect(restored, restored.err).toMatchObject({ code: 0 });
}, 120_000);
