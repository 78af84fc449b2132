import { assistantCalls } from '@tonerow/test-support/assistant-calls.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { freePort, type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A process is killed (SIGKILL) amid an import, its undoing and an archive. The account that waits for one sees it go
// on within seconds of the next start, and not after the hours that such a job may take.

let db: TestDatabase;
let server: ServerProcess;
let port: number;
let ada: Person;

async function start(): Promise<void> {
  const kept = server ? { dataDir: server.dataDir } : {};
  server = await spawnServer({ env: { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET }, port, ...kept });
}

beforeAll(async () => {
  [db, port] = [await createTestDatabase(), await freePort()];
  await start();
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
});
afterAll(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended();
  await db.drop();
});

const { create, post, get } = assistantCalls(() => ({ server: { ...server, db } as never, ada }));

/** Kills the process while what was begun waits for a table, and starts the next one. */
async function killedAt(table: string, begin: () => Promise<unknown>): Promise<void> {
  const holder = new pg.Client(db.url);
  await holder.connect();
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`);
    await begin();
    const waiting = () => db.query('select 1 from pg_locks where relation = $1::regclass and not granted', [table]);
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000, interval: 20 }).toBeGreaterThan(0);
    server.child.kill('SIGKILL');
    await server.ended();
  } finally {
    await holder.end();
  }
  await start();
}

/** Another process finds a dead one's job within a quarter of a minute. */
async function become(id: string, state: string) {
  await expect.poll(async () => (await get(id)).body.state, { timeout: 40_000 }).toBe(state);
  return (await get(id)).body;
}

const sold = async () => (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body.total;

it('an import, its undoing and an archive go on after the death of their process, and happen once', async () => {
  const { id } = await create(
    'Serial,Product,Email,Total Price,Purchase Date\nKIL-0001,Chorus,a@example.com,10,2025-01-10\n',
  );
  await killedAt('redemptions', () => post(id, '/run'));
  expect(await become(id, 'complete')).toMatchObject({ count: 1, known: 0 });
  expect(await sold()).toBe(1);

  await killedAt('audit_events', () => post(id, '/undo'));
  await become(id, 'undone');
  expect(await sold()).toBe(0);
  const undone = await db.query("select 1 from audit_events where account_id = $1 and action = 'import_undone'", [
    ada.id,
  ]);
  expect(undone).toHaveLength(1);

  const body = { password: PASSWORD, passphrase: 'a passphrase of some length' };
  let archive = '';
  await killedAt('product_unlocks', async () => {
    archive = (await call(server, 'POST', '/api/account/archives', { token: ada.token, body })).body.id;
  });
  const state = async () =>
    (await call(server, 'GET', `/api/account/archives/${archive}`, { token: ada.token })).body.state;
  await expect.poll(state, { timeout: 40_000 }).toBe('complete');
  expect((await get(id)).body.state).toBe('undone');
}, 240_000);
