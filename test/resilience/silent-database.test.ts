import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { startSilentProxy } from '@tonerow/test-support/silent-proxy.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../packages/server/src/platform/db/database.ts';
import { BulkGate } from '../../packages/server/src/platform/db/pools/bulk-gate.ts';
import { Lanes, longestWaits } from '../../packages/server/src/platform/db/pools/pools.ts';
import { Events, Resync } from '../../packages/server/src/platform/events.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';
import { inLane } from '../../packages/server/src/platform/work-context.ts';

// The machine of the database stops, or the network swallows everything: no error comes, and no limit that the server keeps helps.

let direct: TestDatabase;
let proxy: Awaited<ReturnType<typeof startSilentProxy>>;
let server: TestServer;
let ada: Person;
let codes: string[];
let ask: (call: string, code: number, machine: string) => Promise<{ status: number; body: unknown; took: number }>;
beforeAll(async () => {
  direct = await createTestDatabase();
  proxy = await startSilentProxy(direct.url);
  server = await startServer({ db: { ...direct, url: proxy.url }, env: { TONEROW_POOL_SIZE: '4' } });
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  codes = (await makeSerials(server, ada.token, product.id)).map(({ code }) => code);
  await redeem(server, codes[0] as string, 'nina@example.com', ada.id);
  const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  ask = async (name, code, machine) => {
    const began = performance.now();
    const { status, body } = await call(server, 'POST', `/api/license/v1/${name}`, {
      token: key,
      body: { license_key: codes[code], machine_id: machine, email: 'nina@example.com' },
    });
    return { status, body, took: performance.now() - began };
  };
});
afterAll(async () => {
  proxy.close();
  await server.stop();
  await direct.drop();
});

/** Sums up how late this process was with its timers: a wait in it takes so much longer on a busy machine. */
function watchLateness(): () => number {
  const EVERY = 20;
  let [late, last] = [0, performance.now()];
  const look = () => {
    const passed = performance.now() - last;
    last += passed;
    if (passed > 2 * EVERY) late += passed - EVERY;
  };
  const timer = setInterval(look, EVERY);
  return () => {
    clearInterval(timer);
    look();
    return late;
  };
}

describe('a database that does not answer', () => {
  it('is told to each of many plugins within six seconds, in their own form, and forgotten when it answers again', async () => {
    expect((await ask('activate', 0, 'one')).status).toBe(200);
    // several connections are open by then, more are opened, and most of the callers wait for one
    await Promise.all(Array.from({ length: 6 }, () => ask('validate', 0, 'one')));
    proxy.fallSilent();
    const lateness = watchLateness();
    const calls = Array.from({ length: 20 }, (_, n) => ask(n % 3 ? 'validate' : 'activate', n % 2, `m${n}`));
    const redeems = Array.from({ length: 3 }, () => redeem(server, codes[2] as string, 'nina@example.com', ada.id));
    const answers = await Promise.all(calls);
    const late = lateness();
    for (const { status, body, took } of answers) {
      expect({ status, body }).toEqual({
        status: 503,
        body: { ok: false, status: 'unavailable', error: expect.any(String) },
      });
      expect(took).toBeLessThan(6000 + late);
    }
    for (const { status, body } of await Promise.all(redeems))
      expect([status, body.code]).toEqual([503, 'unavailable']);
    expect((await call(server, 'GET', '/readyz')).status).toBe(503);
    proxy.speak();
    // the connections that were lost are gone already
    expect((await ask('validate', 0, 'one')).status).toBe(200);
    expect((await redeem(server, codes[2] as string, 'nina@example.com', ada.id)).status).toBe(200);
  });

  it('holds no connection of any lane longer than a statement may take there, and a second', async () => {
    expect(longestWaits).toMatchObject({ licensing: 6000, api: 21_000, bulk: 901_000, jobs: 901_000, migration: null });
    const lanes = new Lanes({ url: proxy.url, sizes: { api: 1, licensing: 1, bulk: 1 }, log: createLogger('silent') });
    const select = () =>
      inLane('probe', async () => {
        const client = await lanes.connect();
        return client.query('select 1').finally(() => client.release(true));
      });
    await select();
    proxy.fallSilent();
    const held = await inLane('probe', () => lanes.connect().catch((error) => error));
    expect(held).toMatchObject({ message: expect.stringMatching(/timeout|did not answer/) });
    proxy.speak();
    const client = await inLane('probe', () => lanes.connect());
    proxy.fallSilent();
    await expect(inLane('probe', () => client.query('select 1'))).rejects.toThrow('did not answer in 4000 ms');
    await expect(client.query('rollback')).rejects.toThrow();
    client.release(true);
    proxy.speak();
    await lanes.close();
  });

  it('is asked on another connection after an error from which the first does not recover', async () => {
    const log = createLogger('silent');
    const lanes = new Lanes({ url: proxy.url, sizes: { api: 1, licensing: 1, bulk: 1 }, log });
    const db = new Database(lanes, { gate: new BulkGate(1), pooled: false });
    for (const broken of [
      () => db.query('select 1 / 0'),
      () => db.work({ signal: new AbortController().signal }, (sql) => sql.query('select 1 / 0')),
    ]) {
      proxy.fallSilentAfterErrors(true);
      await expect(broken()).rejects.toThrow('division by zero');
      proxy.fallSilentAfterErrors(false);
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    }
    await lanes.close();
  });

  it('is left when its connections have ended, which is waited for two seconds', async () => {
    const open = async () => {
      const lanes = new Lanes({
        url: proxy.url,
        sizes: { api: 1, licensing: 1, bulk: 1 },
        log: createLogger('silent'),
      });
      (await lanes.connect()).release();
      return lanes;
    };
    const order: string[] = [];
    const lanes = await open();
    proxy.hangUp().then(() => order.push('ended'));
    await lanes.close();
    order.push('closed');
    expect(order).toEqual(['ended', 'closed']);
    const silent = await open();
    proxy.fallSilent();
    await silent.close();
    proxy.speak();
  });

  it('is noticed by who only listens, and what was missed meanwhile is asked for', async () => {
    const log = createLogger('silent');
    const events = new Events({ url: proxy.url, log, schema: Resync, heartbeat: { every: 20, within: 100 } });
    await events.start();
    const resynced = new Promise((resolve) => events.subscribe(ada.id, resolve));
    const hangUp = proxy.hangUp();
    proxy.fallSilent();
    await hangUp;
    proxy.speak();
    expect(await resynced).toEqual({ type: 'resync', data: {} });
    await events.stop();
  });
});
