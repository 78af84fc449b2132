import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInstalled } from '@tonerow/test-support/command.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { execa, type ResultPromise } from 'execa';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const installed = isInstalled('caddy', 'version');
if (!installed) process.stderr.write('skipped: asking for certificates behind a real Caddy, which is not installed\n');

describe.skipIf(!installed)('what Caddy asks before it gets a certificate, as deploy/Caddyfile sets it up', () => {
  let folder: string;
  let proxy: ResultPromise;
  let url: string;
  let ports: [number, number];
  const servers = new Map<number, Server>();

  /** A server's internal port: it knows one domain, and can be stopped. */
  async function start(port: number): Promise<void> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://internal');
      if (pathname === '/readyz') return void response.end('{"status":"ready"}');
      const known = pathname === '/internal/tls/ask' && searchParams.get('domain') === 'known.example.com';
      response.writeHead(known ? 200 : 404).end();
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    servers.set(port, server);
  }
  async function stop(port: number): Promise<void> {
    const server = servers.get(port);
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
  }
  const ask = async (domain: string) => (await fetch(`${url}/internal/tls/ask?domain=${domain}`)).status;

  beforeAll(async () => {
    ports = [await freePort(), await freePort()];
    for (const port of ports) await start(port);
    const own = await freePort();
    url = `http://127.0.0.1:${own}`;
    folder = await mkdtemp(path.join(tmpdir(), 'tonerow-asks-'));
    const text = await readFile('deploy/Caddyfile', 'utf8');
    const block = text.slice(text.indexOf('http://127.0.0.1:9465 {'), text.indexOf('(servers) {'));
    const config = path.join(folder, 'Caddyfile');
    await writeFile(config, `{\n\tadmin off\n\tauto_https off\n}\n${block.replace(':9465', `:${own}`)}`);
    proxy = execa('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
      stdio: 'ignore',
      reject: false,
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
        TONEROW_INTERNAL_UPSTREAMS: ports.map((port) => `127.0.0.1:${port}`).join(' '),
      },
    });
    await vi.waitFor(async () => expect(await ask('known.example.com')).toBe(200), { timeout: 20_000 });
  });
  afterAll(async () => {
    proxy.kill('SIGTERM');
    await proxy;
    for (const port of ports) await stop(port);
    await rm(folder, { recursive: true, force: true });
  });

  it('is answered for known domains alone, and nothing else is reached there', async () => {
    expect(await ask('unknown.example.com')).toBe(404);
    for (const place of ['/metrics', '/readyz', '/']) expect((await fetch(`${url}${place}`)).status).toBe(404);
  });

  it('is answered while either server is away', async () => {
    for (const port of ports) {
      await stop(port);
      expect(await ask('known.example.com')).toBe(200);
      expect(await ask('unknown.example.com')).toBe(404);
      await start(port);
      await vi.waitFor(async () => expect(await ask('known.example.com')).toBe(200), { timeout: 20_000 });
    }
  }, 60_000);
});
