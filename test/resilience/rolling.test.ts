import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isInstalled } from '@tonerow/test-support/command.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { freePort, type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { execa, type ResultPromise } from 'execa';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const installed = isInstalled('caddy', 'version');
if (!installed) process.stderr.write('skipped: the rolling restart behind a real Caddy, which is not installed\n');

describe.skipIf(!installed)('two processes behind Caddy, as deploy/Caddyfile sets it up', () => {
  let db: TestDatabase;
  let folder: string;
  let proxy: ResultPromise;
  let url: string;
  const servers: ServerProcess[] = [];
  const start = (port?: number) =>
    spawnServer({
      ...(port ? { port } : {}),
      env: {
        DATABASE_URL: db.url,
        TONEROW_SECRET: TEST_SECRET,
        TONEROW_DRAIN_SECONDS: '4',
        TONEROW_LOG_LEVEL: 'debug',
      },
    });

  beforeAll(async () => {
    db = await createTestDatabase();
    servers.push(await start(), await start());
    folder = await mkdtemp(path.join(tmpdir(), 'tonerow-rolling-'));
    const text = await readFile('deploy/Caddyfile', 'utf8');
    // the part that every site imports, on a port of plain HTTP
    const snippet = text.slice(text.indexOf('(servers) {'), text.indexOf('{$TONEROW_HOSTNAME}'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const config = path.join(folder, 'Caddyfile');
    await writeFile(
      config,
      `{\n\tadmin off\n\tauto_https off\n}\n${snippet}\nhttp://:${port} {\n\timport servers\n}\n`,
    );
    const upstreams = servers.map((server) => new URL(server.url).host).join(' ');
    proxy = execa('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
      stdio: 'ignore',
      reject: false,
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        TONEROW_UPSTREAMS: upstreams,
      },
    });
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 20_000 });
  });
  afterAll(async () => {
    proxy.kill('SIGTERM');
    await proxy;
    for (const server of servers) {
      server.child.kill('SIGTERM');
      await server.ended();
      await rm(server.dataDir, { recursive: true, force: true });
    }
    await rm(folder, { recursive: true, force: true });
    await db.drop();
  });

  it('are restarted one after the other under load, and no call fails', async () => {
    const ada = await signUp({ url });
    const product = await makeProduct({ url }, ada.token);
    const [serial] = await makeSerials({ url }, ada.token, product.id);
    const key = (await call({ url }, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    const license = (what: string) =>
      call({ url }, 'POST', `/api/license/v1/${what}`, {
        headers: { authorization: `Bearer ${key}` },
        body: { license_key: serial?.code, machine_id: 'studio', email: 'nina@example.com' },
      });
    expect((await license('activate')).status).toBe(200);
    const outcomes = new Map<string, number>();
    let loading = true;
    const load = Array.from({ length: 6 }, async () => {
      while (loading) {
        const outcome = await license('validate').then(
          ({ status }) => String(status),
          (error: Error) => error.message,
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await pause(5);
      }
    });
    for (const [i, server] of servers.entries()) {
      server.child.kill('SIGTERM');
      expect(await server.ended(), server.output()).toBe(0);
      await rm(server.dataDir, { recursive: true, force: true });
      const again = await start(Number(new URL(server.url).port));
      servers[i] = again;
      // per the handbook, wait until it is ready: Caddy has noticed and sends it requests
      await vi.waitUntil(() => again.output().includes('/api/license/v1/validate'), { timeout: 20_000 });
    }
    loading = false;
    await Promise.all(load);
    expect([...outcomes.keys()]).toEqual(['200']);
    expect(outcomes.get('200')).toBeGreaterThan(300);
    process.stderr.write(`rolling restart: ${outcomes.get('200')} calls, 0 failed\n`);
  }, 120_000);
});
