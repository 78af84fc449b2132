import { mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, PASSWORD, type Person, redeem } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { exemptFromTenantRules } from '@tonerow/test-support/tenant-gate.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { restoreAccount } from '../../packages/server/src/account-restore/restore.ts';
import { entities } from '../../packages/server/src/entities.ts';
import { features } from '../../packages/server/src/features.ts';
import { LEFT_OUT, NOT_RESTORED, planOf, tablesOf } from '../../packages/server/src/platform/archive/plan.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { openDatabase } from '../../packages/server/src/platform/db/open.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';
import { systemRandom } from '../../packages/server/src/platform/random.ts';
import { Secrets } from '../../packages/server/src/platform/secrets/secrets.ts';
import { folderStorage } from '../../packages/server/src/platform/storage/folder.ts';
import { inLane } from '../../packages/server/src/platform/work-context.ts';
import { spread } from '../../packages/server/src/spread.ts';

// An account leaves one server in an archive and goes on at another, with another database, storage and secret.

const PASSPHRASE = 'a passphrase of some length';
const SECRET = 'the-secret-of-another-server-which-is-long-enough';
const MACHINE = 'machine-of-nina';
const random = systemRandom(systemClock);
const log = createLogger('silent');

let here: TestServer;
let there: TestServer;
let database: TestDatabase;
let folder: string;
let file: string;
let ada: Person;
let pluginKey: string;
let code: string;
let validationToken: string;
let opened: ReturnType<typeof openDatabase>;

const own = (method: string, route: string, body?: object) =>
  call(here, method, route, { token: ada.token, ...(body ? { body } : {}) });
const license = (server: TestServer, verb: string, more: object = {}) =>
  call(server, 'POST', `/api/license/v1/${verb}`, {
    token: pluginKey,
    body: { license_key: code, machine_id: MACHINE, email: 'nina@example.com', ...more },
  });
const ended = async (id: string) => {
  await expect
    .poll(async () => (await own('GET', `/api/account/archives/${id}`)).body.state, { timeout: 60_000 })
    .not.toMatch(/waiting|running/);
  return (await own('GET', `/api/account/archives/${id}`)).body;
};
const restore = (from = file, passphrase = PASSPHRASE) =>
  inLane('jobs', () =>
    restoreAccount({
      db: opened.db,
      storage: folderStorage(path.join(folder, 'files'), random),
      secrets: new Secrets([SECRET], random),
      clock: systemClock,
      log,
      sealed: features.sealed,
      file: from,
      passphrase,
    }),
  );
/** Jobs of the server sum them up at any moment. */
const SUMMED = ['seat_changes', 'seat_sums', 'seat_machines', 'machine_sums', 'seat_counts'];
const counts = async (db: Pick<TestDatabase, 'query'>) => {
  const plan = planOf(await tablesOf(db as never), features.sealed).filter(
    ({ name }) => !(name in NOT_RESTORED) && !SUMMED.includes(name),
  );
  const found: Record<string, number> = {};
  for (const { name, owner } of plan) {
    const [row] = await db.query<{ n: number }>(`select count(*)::int as n from ${name} where ${owner} = $1`, [ada.id]);
    found[name] = row?.n ?? 0;
  }
  return found;
};

/** Rows of each table before the archive was made, and after it: requests, for example, are logged late. */
const archived: Record<'before' | 'after', Record<string, number>> = { before: {}, after: {} };

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-archive-'));
  here = await startServer();
  database = await createTestDatabase();
  exemptFromTenantRules(database);
  opened = openDatabase({
    url: database.url,
    sizes: { api: 4, licensing: 1, bulk: 1 },
    entities,
    log,
    migrationsFolder: 'migrations',
  });
  ada = (await makePartners(here)).developer;
  const product = await makeProduct(here, ada.token, { long_desc: '“Quoted”, \\ and\nlines\u2028of others' });
  const [first] = await makeSerials(here, ada.token, product.id);
  code = first?.code as string;
  expect((await redeem(here, code, 'nina@example.com', ada.id)).status).toBe(200);
  pluginKey = (await own('POST', '/api/developer/plugin-keys', {})).body.plaintext;
  const activated = await license(here, 'activate');
  expect(activated.status).toBe(200);
  validationToken = activated.body.validation_token;
});

afterAll(async () => {
  await here?.stop();
  await there?.stop();
  await opened?.db.close();
  await database?.drop();
});

it('every table is of an account, or is named with the reason why it is not', async () => {
  const known = new Set([
    ...planOf(await tablesOf(here.db as never), features.sealed).map(({ name }) => name),
    ...Object.keys(LEFT_OUT),
  ]);
  expect(Object.keys(spread).filter((name) => !known.has(name))).toEqual([]);
  for (const name of [...Object.keys(LEFT_OUT), ...Object.keys(NOT_RESTORED)]) expect(spread).toHaveProperty(name);
  expect(() => planOf([{ name: 'new_things', columns: ['id'] }], [])).toThrow('new_things has no account');
});

it('is asked for with the password, one at a time', async () => {
  const ask = (body: object) => own('POST', '/api/account/archives', body);
  expect((await ask({ password: 'a wrong password', passphrase: PASSPHRASE })).status).toBe(403);
  expect((await ask({ password: PASSWORD, passphrase: 'short' })).status).toBe(400);
  archived.before = await counts(here.db);
  const both = await Promise.all([1, 2].map(() => ask({ password: PASSWORD, passphrase: PASSPHRASE })));
  expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
  const made = both.find(({ status }) => status === 202);
  expect(made?.body).toMatchObject({ state: expect.stringMatching(/waiting|running/), size: null, error: null });
  const done = await ended(made?.body.id);
  archived.after = await counts(here.db);
  expect(done).toMatchObject({ state: 'complete', error: null, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(done.tables_done).toBe(done.tables_total);
  const link = await call(here, 'GET', `/api/account/archives/${done.id}/download`, { token: ada.token });
  expect(link.status).toBe(302);
  const body = Buffer.from(await (await fetch(link.headers.get('location') as string)).arrayBuffer());
  expect(body.length).toBe(done.size);
  file = path.join(folder, 'account.zip');
  await writeFile(file, body);
  const secrets = await here.db.query<{ file_key: null }>('select file_key from account_archives where id = $1', [
    done.id,
  ]);
  expect(secrets).toEqual([{ file_key: null }]);
});

it('what is cut, changed or opened with another passphrase restores nothing', async () => {
  await expect(restore(path.join(folder, 'none.zip'))).rejects.toThrow('There is no file at');
  await expect(restore(file, 'another passphrase')).rejects.toThrow('The passphrase is wrong.');
  const bytes = await readFile(file);
  const other = path.join(folder, 'other.zip');
  await writeFile(other, bytes);
  await truncate(other, bytes.length - 1000);
  await expect(restore(other)).rejects.toThrow('is not an archive of an account, or it is cut off');
  const changed = Buffer.from(bytes);
  const at = bytes.indexOf('tables/customers.jsonl') + 60;
  changed[at] = (changed[at] as number) ^ 0xff;
  await writeFile(other, changed);
  await expect(restore(other)).rejects.toThrow('The archive was changed or is damaged');
  await writeFile(other, 'no archive');
  await expect(restore(other)).rejects.toThrow('is not an archive');
  expect(await database.query('select id from users')).toEqual([]);
});

it('goes on at another server: every row is there, and plugins notice nothing', async () => {
  const done = await restore();
  expect(done).toMatchObject({ skipped: [], email: ada.email });
  const { before: least, after: most } = archived;
  const found = await counts(database);
  expect(Object.keys(found)).toEqual(Object.keys(least));
  expect(found.serials).toBeGreaterThan(0);
  const wrong = Object.entries(found).filter(([table, n]) => n < (least[table] ?? 0) || n > (most[table] ?? 0));
  expect(wrong).toEqual([]);
  there = await startServer({ db: database, env: { TONEROW_SECRET: SECRET } });
  const before = await license(here, 'validate', { validation_token: validationToken });
  const after = await license(there, 'validate', { validation_token: validationToken });
  expect([before.status, after.status]).toEqual([200, 200]);
  // the token of the first server is good at the second: the same key verifies it, so that it gives no new one
  expect(after.body).toEqual(before.body);
  expect(after.body).not.toHaveProperty('validation_token');
  const keys = (server: TestServer) =>
    server.db.query('select id, public_key from signing_keys where developer_id = $1', [ada.id]);
  expect(await keys(there)).toEqual(await keys(here));
  const signIn = await call(there, 'POST', '/api/auth/login', { body: { email: ada.email, password: PASSWORD } });
  expect(signIn.status).toBe(200);
  const shown = await call(there, 'GET', '/api/products', { token: signIn.body.token });
  const without = (answer: { text: string }, { url }: TestServer) => answer.text.replaceAll(url, '');
  expect(without(shown, there)).toBe(without(await own('GET', '/api/products'), here));
});

it('an account that is there is not restored again', async () => {
  await expect(restore()).rejects.toThrow('is on this server already, or was');
});

it('does not outlive its account', async () => {
  const made = await own('POST', '/api/account/archives', { password: PASSWORD, passphrase: PASSPHRASE });
  expect(made.status).toBe(202);
  const gone = await call(here, 'DELETE', '/api/account/delete', {
    token: ada.token,
    body: { password: PASSWORD, unpaid: true },
  });
  expect(gone.status).toBe(200);
  expect(await here.db.query('select id from account_archives where developer_id = $1', [ada.id])).toEqual([]);
});
