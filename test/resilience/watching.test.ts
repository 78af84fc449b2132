import { readFile, rm } from 'node:fs/promises';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { freePort, type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { promtool, samplesOf, sumOf } from '@tonerow/test-support/prometheus.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

let db: TestDatabase;
const running: ServerProcess[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.child.kill('SIGTERM');
    expect(await server.ended(), server.output()).toBe(0);
    await rm(server.dataDir, { recursive: true, force: true });
  }
});
afterAll(() => db.drop());

async function start(env: Record<string, string> = {}) {
  const metricsPort = await freePort();
  const server = await spawnServer({
    env: { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET, TONEROW_METRICS_PORT: String(metricsPort), ...env },
  });
  running.push(server);
  const internal = `http://127.0.0.1:${metricsPort}`;
  return { ...server, internal, figures: async () => (await fetch(`${internal}/metrics`)).text() };
}

const soon = (work: () => unknown) => vi.waitFor(work, { timeout: 40_000, interval: 100 });
const statusOf = async (url: string) => (await fetch(url)).status;

describe('a process of every role has health, readiness and figures', () => {
  it('a worker alone answers health on its port, nothing else there, and logs it at startup', async () => {
    const worker = await start({ TONEROW_ROLE: 'worker' });
    for (const url of [worker.url, worker.internal]) {
      expect(await (await fetch(`${url}/livez`)).json()).toEqual({ status: 'alive' });
      expect(await (await fetch(`${url}/startupz`)).json()).toEqual({ status: 'started' });
      expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
    }
    for (const path of ['/', '/metrics', '/internal/tls/ask', '/api/openapi.json', '/login']) {
      expect(await statusOf(`${worker.url}${path}`), path).toBe(404);
    }
    expect(worker.output()).toContain(`${worker.url}/readyz`);
    expect(worker.output()).not.toContain('/register');
    const page = await worker.figures();
    expect(sumOf(page, 'tonerow_ready')).toBe(1);
    expect(samplesOf(page).has('tonerow_jobs_waiting{queue="mail"}')).toBe(true);
    await db.query("insert into mikro_orm_migrations (name) values ('Migration20991231235959_newer')");
    expect(await statusOf(`${worker.url}/readyz`)).toBe(503);
    expect(sumOf(await worker.figures(), 'tonerow_ready')).toBe(0);
    await db.query("delete from mikro_orm_migrations where name like '%newer'");
    expect(await statusOf(`${worker.url}/readyz`)).toBe(200);
  });

  it('an API process without jobs', async () => {
    const api = await start({ TONEROW_ROLE: 'api' });
    expect(await statusOf(`${api.internal}/readyz`)).toBe(200);
    expect(await statusOf(`${api.internal}/livez`)).toBe(200);
    expect(sumOf(await api.figures(), 'tonerow_ready')).toBe(1);
  });

  it('one that waits for a migration is alive and not ready yet, on the port for figures', async () => {
    // as long as a process of the same release migrates, the others wait for this
    const migrating = new pg.Client({ connectionString: db.url });
    await migrating.connect();
    await migrating.query('select pg_advisory_lock(7203945811)');
    const metricsPort = await freePort();
    const server = await spawnServer({
      nowait: true,
      env: { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET, TONEROW_METRICS_PORT: String(metricsPort) },
    });
    running.push(server);
    const internal = `http://127.0.0.1:${metricsPort}`;
    await soon(async () => expect(await statusOf(`${internal}/livez`)).toBe(200));
    const answer = await fetch(`${internal}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', reason: 'starting' }]);
    expect(await statusOf(`${internal}/startupz`)).toBe(503);
    expect(sumOf(await (await fetch(`${internal}/metrics`)).text(), 'tonerow_ready')).toBe(0);
    await expect(fetch(`${server.url}/livez`)).rejects.toThrow();
    await migrating.end();
    await soon(async () => expect(await statusOf(`${internal}/readyz`)).toBe(200));
    expect(await statusOf(`${server.url}/readyz`)).toBe(200);
    expect(await statusOf(`${server.url}/startupz`)).toBe(200);
    expect(server.output()).not.toContain('not ready');
  });

  it('two API processes on one machine: their HTTP figures are one page, and survive the loss of one', async () => {
    const server = await start({ TONEROW_WORKERS: '2' });
    expect(server.output()).toContain(`Tonerow is running on ${server.url}`);
    const calls = Array.from({ length: 40 }, () => statusOf(`${server.url}/livez`));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    const count = async () =>
      sumOf(await server.figures(), 'http_request_duration_seconds_count', { route: '/livez', status: '200' });
    await soon(async () => expect(await count()).toBe(40));
    const page = await server.figures();
    expect(promtool(page) ?? '').toBe('');
    expect(sumOf(page, 'tonerow_db_pool_size')).toBeGreaterThanOrEqual(30);
    const children = await readFile(`/proc/${server.child.pid}/task/${server.child.pid}/children`, 'utf8');
    const follower = Number(children.trim().split(' ')[0]);
    process.kill(follower, 'SIGKILL');
    await soon(() => expect(server.output()).toContain('an API process ended and is replaced'));
    expect(await statusOf(`${server.internal}/metrics`)).toBe(200);
    await soon(async () => expect(await statusOf(`${server.url}/readyz`)).toBe(200));
  });

  it('several API processes that cannot listen end with the reason, and do not start for ever', async () => {
    const other = await start();
    const second = await spawnServer({
      port: Number(new URL(other.url).port),
      nowait: true,
      env: { DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET, TONEROW_WORKERS: '2' },
    });
    expect(await second.ended()).toBe(1);
    expect(second.output()).toContain('EADDRINUSE');
    await rm(second.dataDir, { recursive: true, force: true });
  });
});

describe('figures', () => {
  /** The figures of a server that was asked already. */
  let figures: string | undefined;

  it('count redemptions, refusals by status, seats, waiting jobs and connections, under names a linter accepts', async () => {
    const server = await start();
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token, { max_activations: 1 });
    const [one, two, three] = await makeSerials(server, ada.token, product.id);
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    const activate = (license_key: string, machine_id: string) =>
      call(server, 'POST', '/api/license/v1/activate', {
        headers: { authorization: `Bearer ${key}` },
        body: { license_key, machine_id, email: 'nina@example.com' },
      });
    await redeem(server, one?.code as string, 'nina@example.com');
    await redeem(server, one?.code as string, 'nina@example.com');
    await redeem(server, three?.code as string, 'nina@example.com');
    await activate(two?.code as string, 'studio');
    await activate(two?.code as string, 'studio');
    await activate(two?.code as string, 'stage');
    await activate('NOPE-NOPE-NOPE-NOPE', 'stage');
    const xml = await call(server, 'POST', '/api/license/juce/unlock', {
      headers: { authorization: `Bearer ${key}` },
      body: { email: 'nina@example.com' },
    });
    expect(xml.text).toContain('ERROR');
    const page = await server.figures();
    figures = page;
    expect(promtool(page) ?? '').toBe('');
    expect(sumOf(page, 'tonerow_redemptions_total', { source: 'redeem' })).toBe(2);
    expect(sumOf(page, 'tonerow_redemptions_total', { source: 'activation' })).toBe(1);
    const refused = (labels: Record<string, string>) => sumOf(page, 'tonerow_license_refusals_total', labels);
    expect(refused({ operation: 'activateLicense', status: 'seat_limit' })).toBe(1);
    expect(refused({ operation: 'activateLicense', status: 'not_found' })).toBe(1);
    expect(refused({ operation: 'juceUnlock' })).toBe(1);
    expect(sumOf(page, 'tonerow_seats_in_use')).toBe(1);
    for (const name of [
      'tonerow_jobs_oldest_waiting_seconds{queue="mail"}',
      'tonerow_jobs_waiting{queue="expire-records"}',
      'tonerow_email_oldest_unsent_seconds',
      'tonerow_ready',
    ]) {
      expect([...samplesOf(page).keys()], name).toContain(name);
    }
    for (const name of ['tonerow_db_pool_in_use', 'tonerow_db_pool_waiting', 'tonerow_db_pool_size']) {
      expect(page, name).toMatch(new RegExp(`^${name}\\{pool="\\w+"\\} \\d+$`, 'm'));
    }
    await soon(async () => {
      expect(sumOf(await server.figures(), 'tonerow_jobs_total', { queue: 'mail', outcome: 'done' })).toBeGreaterThan(
        0,
      );
    });
  });

  it('are all in the operator’s handbook', async () => {
    const handbook = await readFile('docs/operations.md', 'utf8');
    const names = [...(figures ?? (await (await start()).figures())).matchAll(/^# TYPE ((?:tonerow|http)_\w+) /gm)].map(
      (match) => match[1],
    );
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(handbook).toContain(`\`${name}\``);
  });

  it('know for how long an email waits, and what waits without anybody who works on it', async () => {
    const api = await start({ TONEROW_ROLE: 'api' });
    const ada = await signUp(api);
    await call(api, 'POST', '/api/auth/forgot-password', { body: { email: ada.email } });
    await soon(async () => {
      const page = await api.figures();
      expect(sumOf(page, 'tonerow_jobs_waiting')).toBeGreaterThan(0);
      expect(sumOf(page, 'tonerow_jobs_oldest_waiting_seconds')).toBeGreaterThan(0);
      expect(sumOf(page, 'tonerow_email_oldest_unsent_seconds')).toBeGreaterThan(0);
    });
  });
});
