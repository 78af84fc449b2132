import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { isInstalled } from '@tonerow/test-support/command.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { freePort } from '@tonerow/test-support/process.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { execa, type ResultPromise } from 'execa';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const caddy = isInstalled('caddy', 'version');
if (!caddy) console.warn('Skipped: Caddy is not installed (apt-get install caddy).');

describe.skipIf(!caddy)('behind a real Caddy', () => {
  let server: SharedServer;
  let ada: Person;
  let home: string;
  let proxy: ResultPromise;
  let ports: { http: number; https: number; plain: number; dead: number };
  let keyId: string;

  beforeAll(async () => {
    server = await sharedServer();
    ada = await signUp(server);
    const product = await makeProduct(server, ada.token, { name: 'Prism Delay' });
    await makeSerials(server, ada.token, product.id, { quantity: 250 });
    keyId = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'One' } }))
      .body.key.id;
    home = await mkdtemp(path.join(tmpdir(), 'tonerow-caddy-'));
    ports = { http: await freePort(), https: await freePort(), plain: await freePort(), dead: await freePort() };
    const upstream = new URL(server.url).host;
    const config = path.join(home, 'Caddyfile');
    await writeFile(
      config,
      `{
	admin off
	http_port ${ports.http}
	https_port ${ports.https}
	local_certs
	skip_install_trust
}
# redirected to https by Caddy itself
localhost {
	reverse_proxy ${upstream}
}
http://127.0.0.1:${ports.plain} {
	encode gzip zstd
	handle_path /licenses/* {
		reverse_proxy ${upstream}
	}
	handle {
		header content-type text/html
		respond "<h1>Row Audio</h1>"
	}
}
# its server is down
http://127.0.0.1:${ports.dead} {
	reverse_proxy 127.0.0.1:1
}
`,
    );
    proxy = execa('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
      stdio: 'ignore',
      reject: false,
      extendEnv: false,
      env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    });
    for (const port of [ports.http, ports.plain, ports.dead])
      await vi.waitUntil(() => isOpen(port), { timeout: 20_000 });
  }, 60_000);

  afterAll(async () => {
    proxy?.kill();
    if (home) await rm(home, { recursive: true, force: true });
  });

  const tonerow = (url: string, ...line: string[]) =>
    runCommand(line, {
      env: { HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, TONEROW_URL: url, TONEROW_TOKEN: ada.token },
    });

  it.each([
    ['its redirect to https', () => `http://localhost:${ports.http}`, () => 'Use https://localhost as'],
    ['a page beside the API', () => `http://127.0.0.1:${ports.plain}`, () => 'with a web page'],
    ['a server that is down', () => `http://127.0.0.1:${ports.dead}`, () => 'responded 502'],
  ])('%s is no success', async (_name, url, advice) => {
    const out = path.join(home, 'export.csv');
    for (const line of [
      ['products', 'list'],
      ['keys', 'delete', keyId, '--yes'],
      ['serials', 'export', 'available', '--out', out],
      ['customers', 'export'],
    ]) {
      const answer = await tonerow(url(), ...line);
      expect([answer.code, answer.out], line.join(' ')).toEqual([1, '']);
      expect(answer.err).toContain(url());
      expect(answer.err).toContain(advice());
    }
    const { body } = await call(server, 'GET', '/api/developer/plugin-keys', { token: ada.token });
    expect(body.keys).toHaveLength(1);
    expect((await readdir(home)).filter((name) => /export/.test(name))).toEqual([]);
  });

  it('the API works where it is, compressed and under a path', async () => {
    const url = `http://127.0.0.1:${ports.plain}/licenses`;
    expect(JSON.parse((await tonerow(url, 'products', 'list', '--json')).out)).toHaveLength(1);
    expect((await tonerow(url, 'serials', 'export', 'available')).out.trim().split('\n')).toHaveLength(251);
    expect(JSON.parse((await tonerow(url, 'serials', 'list', '--all', '--json')).out)).toHaveLength(250);
  });
});

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
