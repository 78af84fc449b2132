import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { type ServerProcess, spawnServer, untilReady } from '@tonerow/test-support/process.ts';
import { rounds } from '@tonerow/test-support/soak.ts';
import { untilWorking } from '@tonerow/test-support/working.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  embeddedUrl,
  startEmbeddedPostgres,
} from '../../packages/server/src/platform/db/embedded/embedded-postgres.ts';

const quiet = { info: () => undefined, warn: () => undefined };
const running: ServerProcess[] = [];
/** The folder of all servers here: only the first one has to make its database. */
let dataDir: string;

async function spawn(): Promise<ServerProcess> {
  const server = await spawnServer(dataDir === undefined ? {} : { dataDir });
  dataDir = server.dataDir;
  return server;
}

/** A server that ends with its test. */
async function start(): Promise<ServerProcess> {
  const server = await spawn();
  running.push(server);
  return server;
}

async function stop(server: ServerProcess): Promise<void> {
  if (!server.isRunning()) return;
  server.child.kill('SIGTERM');
  await server.ended();
}

/** Waits until the server writes serials into its own database. */
async function untilCopying(server: ServerProcess): Promise<void> {
  const client = new pg.Client({ connectionString: (await embeddedUrl(server.dataDir)) as string });
  await client.connect();
  try {
    await untilWorking({ query: async (text, values) => (await client.query(text, values)).rows }, 'copy serials');
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  for (const server of running.splice(0)) await stop(server);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// whole processes and their databases start and stop here, on whatever machine this is
describe('a server process', { timeout: 90_000 }, () => {
  it('stops on SIGTERM and on SIGINT with code 0 and leaves nothing running', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await start();
      const pid = await postmaster(server.dataDir);
      expect(exists(pid)).toBe(true);
      server.child.kill(signal);
      expect(await server.ended(), server.output()).toBe(0);
      expect(exists(pid)).toBe(false);
      await expect(stat(path.join(server.dataDir, 'server.lock'))).rejects.toThrow();
    }
  });

  it('finishes running requests on shutdown, and takes no new ones', async () => {
    const server = await start();
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const batch = call(server, 'POST', '/api/serials/generate', {
      token: ada.token,
      body: { product_id: product.id, quantity: 60_000 },
      headers: { accept: 'text/csv' },
    });
    await untilCopying(server);
    server.child.kill('SIGTERM');
    expect((await batch).text.trim().split('\r\n')).toHaveLength(60_001);
    expect(await server.ended()).toBe(0);
    await expect(fetch(`${server.url}/livez`)).rejects.toThrow();
  });

  it.each(rounds(1))('killed in the middle of a million serials leaves none of them and starts clean: %i', async () => {
    const first = await start();
    const ada = await signUp(first);
    const product = await makeProduct(first, ada.token);
    const broken = call(first, 'POST', '/api/serials/generate', {
      token: ada.token,
      body: { product_id: product.id, quantity: 1_000_000 },
      headers: { accept: 'text/csv', 'idempotency-key': 'million' },
    }).catch((error: Error) => error);
    await untilCopying(first);
    first.child.kill('SIGKILL');
    expect(await broken).toBeInstanceOf(Error);
    await first.ended();
    const again = await start();
    const list = await call(again, 'GET', '/api/serials', { token: ada.token });
    expect(list.body).toMatchObject({ rows: [], total: 0 });
    expect(await makeSerials(again, ada.token, product.id, { quantity: 5 })).toHaveLength(5);
  });

  describe('while it runs', () => {
    let server: ServerProcess;
    beforeAll(async () => {
      server = await spawn();
    });
    afterAll(() => stop(server));

    it('keeps its secrets and its database password to its owner', async () => {
      for (const name of ['secret', 'postgres.json']) {
        expect((await stat(path.join(server.dataDir, name))).mode & 0o077).toBe(0);
      }
      expect(server.output()).toContain(`Tonerow is running on ${server.url}`);
    });

    it('reports clearly that another server uses the same data folder', async () => {
      const second = await spawnServer({ dataDir: server.dataDir, nowait: true });
      expect(await second.ended()).toBe(1);
      expect(second.output()).toContain('already running on this data folder');
      expect(second.output()).toContain(`process ${server.child.pid}, ${server.url}`);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    });

    it('starts its database again when that dies by itself', async () => {
      const pid = await postmaster(server.dataDir);
      process.kill(pid, 'SIGKILL');
      for (let tries = 0; tries < 200; tries += 1) {
        await pause(50);
        if ((await postmaster(server.dataDir).catch(() => pid)) !== pid) break;
      }
      await untilReady(server);
      await signUp(server);
    });
  });
});

it('a database that restarts under load costs failed requests, not the process', async () => {
  if (dataDir === undefined) await stop(await spawn());
  const TONEROW_SECRET = (await readFile(path.join(dataDir, 'secret'), 'utf8')).trim();
  let database = await startEmbeddedPostgres({ dataDir, log: quiet });
  const server = await spawnServer({ env: { DATABASE_URL: database.url, TONEROW_SECRET } });
  try {
    const ada = await signUp(server);
    const statuses = new Map<number, number>();
    let loading = true;
    const answeredAgain = async (status: number) => {
      const before = statuses.get(status) ?? 0;
      await vi.waitUntil(() => (statuses.get(status) ?? 0) > before + 20, { timeout: 20_000 });
    };
    const load = Array.from({ length: 8 }, async () => {
      while (loading) {
        const { status, headers } = await call(server, 'GET', '/api/products', { token: ada.token });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 503) {
          expect(headers.get('retry-after')).toBe('2');
          await pause(20);
        }
      }
    });
    await answeredAgain(200);
    await database.stop();
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    database = await startEmbeddedPostgres({ dataDir, log: quiet });
    await untilReady(server);
    await answeredAgain(200);
    loading = false;
    await Promise.all(load);
    expect([...statuses.keys()].sort()).toEqual([200, 503]);
    expect((await call(server, 'GET', '/api/products', { token: ada.token })).status).toBe(200);
    expect(server.isRunning()).toBe(true);
  } finally {
    await stop(server);
    await database.stop();
    await rm(server.dataDir, { recursive: true, force: true });
  }
}, 90_000);
