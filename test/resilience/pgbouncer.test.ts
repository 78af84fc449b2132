import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { findPgbouncer, startPgbouncer } from '@tonerow/test-support/pgbouncer.ts';
import { type ServerProcess, spawnServer, untilReady } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient, watchEvents } from '../../packages/sdk/src/index.ts';
import { entities } from '../../packages/server/src/entities.ts';
import { openDatabase } from '../../packages/server/src/platform/db/open.ts';
import { inLane } from '../../packages/server/src/platform/work-context.ts';

const program = findPgbouncer();
let db: TestDatabase;
const running: ServerProcess[] = [];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.child.kill('SIGTERM');
    await server.ended();
    await rm(server.dataDir, { recursive: true, force: true });
  }
  for (const close of closing.splice(0)) await close();
});
afterAll(() => db.drop());

async function pooler(mode: 'transaction' | 'session', size?: number) {
  const bouncer = await startPgbouncer(program as string, db, { mode, ...(size ? { size } : {}) });
  closing.push(bouncer.stop);
  return bouncer;
}

async function start(env: Record<string, string>, nowait = false) {
  const server = await spawnServer({ nowait, env: { TONEROW_SECRET: TEST_SECRET, ...env } });
  running.push(server);
  return server;
}

describe.skipIf(!program)('behind a real PgBouncer in transaction mode', { timeout: 120_000 }, () => {
  it('everything works with a direct address beside it: licensing, imports, exports, jobs and live events', async () => {
    const { url } = await pooler('transaction');
    const server = await start({ DATABASE_URL: url, TONEROW_DIRECT_DATABASE_URL: db.url, TONEROW_RATE_LIMITS: 'on' });
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token, { max_activations: 1000 });
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 30 });
    const keys = '/api/developer/plugin-keys';
    const key = (await call(server, 'POST', keys, { token: ada.token, body: {} })).body.plaintext;
    const heard: string[] = [];
    const watching = new AbortController();
    const listening = (async () => {
      const api = createClient({ baseUrl: server.url, token: ada.token });
      for await (const event of watchEvents(api, { signal: watching.signal })) heard.push(event.type);
    })().catch(() => undefined);

    // far more clients at once than the pooler has connections
    const license = (path: string, machine: number) =>
      call(server, 'POST', `/api/license/v1/${path}`, {
        headers: { authorization: `Bearer ${key}` },
        body: { license_key: serials[machine % 10]?.code, machine_id: `m-${machine}`, email: 'nina@example.com' },
      });
    const round = async (path: string) =>
      Promise.all(Array.from({ length: 150 }, async (_, i) => (await insist(() => license(path, i))).status));
    expect(new Set(await round('activate'))).toEqual(new Set([200]));
    for (let i = 0; i < 3; i += 1) expect(new Set(await round('validate'))).toEqual(new Set([200]));

    const redeemed = serials
      .slice(10)
      .map(async ({ code }, i) => (await insist(() => redeem(server, code, `m${i}@example.com`))).status);
    expect(new Set(await Promise.all(redeemed))).toEqual(new Set([200]));
    const file = new FormData();
    const lines = Array.from({ length: 500 }, (_, i) => `OLD-${i}-CODE-${i},${product.name}`);
    file.set('file', new Blob([`Serial,Product\n${lines.join('\n')}\n`]), 'old.csv');
    const imported = await call(server, 'POST', '/api/serials/import-available', { token: ada.token, body: file });
    expect([imported.status, imported.body.count], imported.text).toEqual([200, 500]);
    const headers = { accept: 'text/csv' };
    const exported = await call(server, 'GET', '/api/serials/redeemed', { token: ada.token, headers });
    expect(exported.status, exported.text).toBe(200);

    await vi.waitFor(() => expect(heard).toContain('redemption'), { timeout: 10_000 });
    await vi.waitFor(
      async () => {
        const open = await db.query("select 1 from pgboss.job where name = 'mail' and state <> 'completed'");
        expect(open).toHaveLength(0);
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(await db.query("select 1 from pgboss.job where name = 'mail'")).not.toHaveLength(0);
    watching.abort();
    await listening;
    expect(server.output()).not.toContain('"level":"error"');
  });

  it('refuses to start without a direct address, and names what to set', async () => {
    const { url } = await pooler('transaction');
    const refused = await start({ DATABASE_URL: url }, true);
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toMatch(/"level":"fatal".*TONEROW_DIRECT_DATABASE_URL/);
    const both = await start({ DATABASE_URL: url, TONEROW_DIRECT_DATABASE_URL: url }, true);
    expect(await both.ended()).toBe(1);
    expect(both.output()).toContain('TONEROW_DIRECT_DATABASE_URL leads to a connection pooler, too');
    const other = await createTestDatabase();
    closing.push(other.drop);
    const apart = await start({ DATABASE_URL: url, TONEROW_DIRECT_DATABASE_URL: other.url }, true);
    expect(await apart.ended()).toBe(1);
    expect(apart.output()).toContain('lead to different databases');
    const wrong = await start({ DATABASE_URL: url, TONEROW_PREPARED_STATEMENTS: 'on' }, true);
    expect(await wrong.ended()).toBe(1);
    expect(wrong.output()).toContain('hands out its connections by transaction');
  });

  it('is not ready once one comes between it and the database, and reports it', async () => {
    const { url } = await pooler('transaction', 30);
    let target = new URL(db.url);
    const sockets = new Set<Socket>();
    const relay = createServer((socket) => {
      const onward = connect(Number(target.port), target.hostname);
      for (const [here, there] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        sockets.add(here);
        here.on('error', () => there.destroy()).pipe(there);
      }
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    closing.push(async () => relay.close());
    const relayed = new URL(db.url);
    relayed.port = String((relay.address() as AddressInfo).port);
    const server = await start({ DATABASE_URL: relayed.toString() });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    target = new URL(url);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(
      async () => {
        const answer = await fetch(`${server.url}/readyz`);
        expect(answer.status).toBe(503);
        expect(await answer.json()).toMatchObject({ reason: 'a connection pooler is in front of the database' });
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  it('works on one in session mode when configured for it', async () => {
    const { url } = await pooler('session', 60);
    const server = await start({ DATABASE_URL: url, TONEROW_PREPARED_STATEMENTS: 'on' });
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token);
    expect(await makeSerials(server, ada.token, product.id)).toHaveLength(3);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('answers 503 while the pooler is away, and goes on when it is back', async () => {
    const bouncer = await pooler('transaction');
    const server = await start({ DATABASE_URL: bouncer.url, TONEROW_DIRECT_DATABASE_URL: db.url });
    const ada = await signUp(server);
    await bouncer.halt();
    expect((await call(server, 'GET', '/api/products', { token: ada.token })).status).toBe(503);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    await bouncer.again();
    await untilReady(server);
    expect((await call(server, 'GET', '/api/products', { token: ada.token })).status).toBe(200);
  });

  it('holds every transaction to the limits of its lane, and leaves none of them behind', async () => {
    const { url } = await pooler('transaction', 1);
    const { db: pooled } = openDatabase({
      url,
      directUrl: db.url,
      pooled: true,
      sizes: { api: 2, licensing: 2, bulk: 1 },
      entities,
      log: pino({ level: 'silent' }),
      migrationsFolder: 'migrations',
    });
    closing.push(() => pooled.close());
    const timeout = async (sql: { query(text: string): Promise<object[]> }) =>
      (await sql.query('show statement_timeout'))[0];
    await inLane('licensing', async () => {
      expect(await pooled.work({ tx: true, named: true }, timeout)).toEqual({ statement_timeout: '5s' });
      expect(await timeout(pooled)).toEqual({ statement_timeout: '0' });
      const named = { name: 'one', text: 'select $1::int as n', values: [1], feature: 'platform' };
      expect((await pooled.send(named)).rows).toEqual([{ n: 1 }]);
    });
  });
});

it('knows a direct connection, and refuses a direct address alone', async () => {
  const server = await start({ DATABASE_URL: db.url, TONEROW_DIRECT_DATABASE_URL: db.url });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const refused = await start({ TONEROW_DIRECT_DATABASE_URL: db.url }, true);
  expect(await refused.ended()).toBe(1);
  expect(refused.output()).toContain('TONEROW_DIRECT_DATABASE_URL is set without DATABASE_URL');
});
