import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { spawnServer } from '@tonerow/test-support/process.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { serverCommand } from '@tonerow/test-support/server-command.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { systemRandom } from '#platform/random.ts';
import { Secrets } from '#platform/secrets/secrets.ts';

const OTHER = 'some other secret that sealed nothing in this database';
const fingerprintOf = (secret: string) => new Secrets([secret], systemRandom(systemClock)).fingerprints()[0] as string;

let server: TestServer;
let ada: Person;
let pluginKey: string;
let code: string;

beforeAll(async () => {
  server = await startServer();
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  code = (await makeSerials(server, ada.token, product.id))[0]?.code as string;
  const made = await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} });
  pluginKey = made.body.plaintext;
  expect((await activate(server)).body.status).toBe('active');
});
afterAll(() => server.stop());

const activate = (to: { url: string }) =>
  call(to, 'POST', '/api/license/v1/activate', {
    headers: { authorization: `Bearer ${pluginKey}` },
    body: { license_key: code, machine_id: 'studio', email: 'nina@example.com' },
  });

const command = (secrets: string, ...args: string[]) =>
  serverCommand(args, { DATABASE_URL: server.db.url, TONEROW_SECRET: secrets });

/** A second server on the same database, with a secret of its own. */
const startWith = (TONEROW_SECRET: string, db: TestServer['db'] = server.db) =>
  startServer({ db, env: { TONEROW_SECRET } });

describe('a server with the wrong secret', () => {
  it('does not start, and names the missing secret and its own', async () => {
    const started = startWith(OTHER);
    await expect(started).rejects.toThrow(`The secret ${fingerprintOf(TEST_SECRET)} (in use since`);
    await expect(started).rejects.toThrow(`Configured: ${fingerprintOf(OTHER)}.`);
    // and leaves no trace that would stop the right one
    await (await startWith(TEST_SECRET)).stop();
  });

  it('as a process exits with 1 and words for the operator, in the log too', async () => {
    const refused = await spawnServer({
      nowait: true,
      env: { DATABASE_URL: server.db.url, TONEROW_SECRET: OTHER },
    });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toMatch(/"level":"fatal".*The secret [0-9a-f]{12} .* is missing/);
    expect(refused.output()).not.toContain('    at ');
    await rm(refused.dataDir, { recursive: true, force: true });
  });

  it('does not start on a database from before the probes either', async () => {
    await server.db.query('create table kept as select * from secret_probes');
    await server.db.query('delete from secret_probes');
    await expect(startWith(OTHER)).rejects.toThrow('plugin_keys.sealed was sealed with another one');
    await (await startWith(TEST_SECRET)).stop();
    expect(await server.db.query('select fingerprint from secret_probes')).toEqual([
      { fingerprint: fingerprintOf(TEST_SECRET) },
    ]);
  });

  it('is refused for one of two servers that start on an empty database at once', async () => {
    const db = await createTestDatabase();
    const outcomes = await Promise.allSettled([startWith(TEST_SECRET, db), startWith(OTHER, db)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.stop();
    await db.drop();
  });
});

it('a server beneath which another database is restored is not ready, and plugins read 503 and never 500', async () => {
  const db = await createTestDatabase();
  const running = await startWith(OTHER, db);
  try {
    // does what a restore does: the rows of the other server are there, sealed by its secret
    await call(running, 'GET', '/readyz').then(({ status }) => expect(status).toBe(200));
    await db.query('truncate secret_probes');
    await copyRows(server.db, db, ['users', 'secret_probes', 'products', 'customers', 'batches', 'serials']);
    await copyRows(server.db, db, ['plugin_keys', 'signing_keys']);
    const ready = await call(running, 'GET', '/readyz');
    expect([ready.status, ready.body.reason]).toEqual([503, 'the secret does not fit the database']);
    expect(ready.text).not.toContain(fingerprintOf(TEST_SECRET));
    expect(running.logged()).toContain(`The secret ${fingerprintOf(TEST_SECRET)}`);
    const answer = await activate(running);
    expect([answer.status, answer.body.status]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('retry-after')).toBe('60');
  } finally {
    await running.stop();
    await db.drop();
  }
});

it('rotation goes in two steps: every secret that has sealed is needed until all is sealed again', async () => {
  await (await startWith(`${OTHER},${TEST_SECRET}`)).stop();
  const both = [fingerprintOf(OTHER), fingerprintOf(TEST_SECRET)];
  const probes = await server.db.query<{ fingerprint: string }>('select fingerprint from secret_probes');
  expect(probes.map(({ fingerprint }) => fingerprint).sort()).toEqual([...both].sort());
  await expect(startWith(TEST_SECRET)).rejects.toThrow(fingerprintOf(OTHER));
  expect((await command(TEST_SECRET, 'secrets', 'list')).out.split('\n').slice(0, 2)).toEqual([
    `${fingerprintOf(TEST_SECRET)}  configured, seals`,
    expect.stringMatching(new RegExp(`^${fingerprintOf(OTHER)}  MISSING, sealed here since \\d{4}-\\d\\d-\\d\\d$`)),
  ]);
  expect((await command(`${OTHER},${TEST_SECRET}`, 'secrets', 'rotate')).code).toBe(0);
  await (await startWith(OTHER)).stop();
  await expect(startWith(TEST_SECRET)).rejects.toThrow(fingerprintOf(OTHER));
});

it('a secret that is lost for good can be given up: plugins work again', async () => {
  const fresh = 'a fresh secret after the old one was lost for good';
  expect(await command(fresh, 'secrets', 'forget', 'abcdefabcdef')).toMatchObject({ code: 1 });
  const forgotten = await command(fresh, 'secrets', 'forget', fingerprintOf(OTHER));
  expect(forgotten.code).toBe(0);
  expect(forgotten.out.split('\n')).toContain('1 signing keys replaced; tokens they signed stay valid until they end');
  const again = await startWith(fresh);
  try {
    expect((await activate(again)).body.status).toBe('active');
    expect((await command(fresh, 'secrets', 'rotate')).code).toBe(0);
    expect((await command(fresh, 'secrets', 'forget', fingerprintOf(fresh))).code).toBe(1);
  } finally {
    await again.stop();
  }
});

it('a data folder that lost its secret is not given a new one', async () => {
  const first = await spawnServer();
  first.child.kill('SIGTERM');
  await first.ended();
  await rm(path.join(first.dataDir, 'secret'));
  const second = await spawnServer({ dataDir: first.dataDir, nowait: true });
  expect(await second.ended()).toBe(1);
  expect(second.output()).toContain('secret is missing, although there is a database beside it');
  await rm(first.dataDir, { recursive: true, force: true });
});

type Queried = Pick<TestDatabase, 'query'>;

async function copyRows(from: Queried, to: Queried, tables: string[]): Promise<void> {
  for (const table of tables) {
    const rows = await from.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`);
    for (const { row } of rows) {
      await to.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1::jsonb)`, [row]);
    }
  }
}
