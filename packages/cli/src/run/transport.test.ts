import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authority, certificate, certificateKey } from '@tonerow/test-support/certificates.ts';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { transportFor } from './transport.ts';

type Secure = ReturnType<typeof createHttps>;

let home: string;
let fake: Awaited<ReturnType<typeof startFakeServer>>;
/** The same answer for everything, behind a certificate of an authority that nobody knows. */
let secure: Secure;
/** Tunnels all to `secure`, for those who know the password. */
let proxy: Server;
let tunnels: string[] = [];

const listen = async (server: Server | Secure) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
};
const portOf = (server: Server | Secure) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-transport-'));
  await writeFile(path.join(home, 'ca.pem'), authority);
  await writeFile(path.join(home, 'empty.pem'), 'nothing');
  fake = await startFakeServer();
  secure = createHttps({ cert: certificate, key: certificateKey }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
  proxy = createHttp();
  proxy.on('connect', (request, socket) => {
    const known = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
    if (request.headers['proxy-authorization'] !== known)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    tunnels.push(request.url ?? '');
    const upstream = connect(portOf(secure), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const each of [socket, upstream]) each.on('error', () => undefined);
    return undefined;
  });
  await listen(secure);
  await listen(proxy);
});
afterAll(async () => {
  fake.close();
  for (const server of [secure, proxy]) {
    server.closeAllConnections();
    server.close();
  }
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => {
  fake.reset();
  tunnels = [];
});

const run = (line: string[], env: Record<string, string>) =>
  runCommand(line, { env: { XDG_CONFIG_HOME: home, HOME: home, TONEROW_TOKEN: 'tnr_pat_x', ...env } });
const list = ['products', 'list', '--json'];

it('leaves to Node’s own fetch, which gives up after five minutes, only what is brief', async () => {
  const own = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('[]'));
  const { fetch: send, close } = await transportFor(fake.url, {});
  const asked = async (path: string, init: RequestInit) => {
    own.mockClear();
    await send(`${fake.url}${path}`, { headers: { accept: 'application/json' }, ...init });
    return own.mock.calls.length === 1;
  };
  const results = [
    await asked('/api/products', {}),
    await asked('/api/imports/i/check', { method: 'POST' }),
    await asked('/api/imports', { method: 'POST', body: new FormData() }),
    await asked('/api/serials', { headers: { accept: 'text/csv' } }),
  ];
  await close();
  own.mockRestore();
  expect(results).toEqual([true, false, false, false]);
});

describe('a proxy', () => {
  it('gets what is for a server, and nothing for one that NO_PROXY names', async () => {
    fake.answers = { 'GET http://licenses.example.com/api/products': [200, []] };
    const env = { TONEROW_URL: 'http://licenses.example.com', HTTP_PROXY: fake.url };
    expect((await run(list, env)).out).toBe('[]\n');
    expect(fake.seen[0]?.authorization).toBe('Bearer tnr_pat_x');
    fake.reset();
    fake.answers = { 'GET /api/products': [200, []] };
    expect((await run(list, { ...env, TONEROW_URL: fake.url })).out).toBe('[]\n');
  });

  it('gets a password, and tunnels what is encrypted', async () => {
    const env = { TONEROW_URL: 'https://licenses.example.com', SSL_CERT_FILE: path.join(home, 'ca.pem') };
    const address = `127.0.0.1:${portOf(proxy)}`;
    const known = await run(list, { ...env, HTTPS_PROXY: `http://ada:secret@${address}` });
    expect([known.code, known.out, known.err]).toEqual([0, '[]\n', '']);
    expect(tunnels).toEqual(['licenses.example.com:443']);
    const stranger = await run(list, { ...env, HTTPS_PROXY: address });
    expect([stranger.code, stranger.out]).toEqual([1, '']);
    expect(stranger.err).toContain(`the proxy http://${address} from HTTPS_PROXY responded 407`);
  });

  it('that is not there is named, without its password', async () => {
    const env = { TONEROW_URL: 'https://licenses.example.com', HTTPS_PROXY: 'http://ada:secret@127.0.0.1:49' };
    const { code, err } = await run(list, env);
    expect([code, err]).toEqual([1, expect.stringContaining('through the proxy http://127.0.0.1:49 from HTTPS_PROXY')]);
    expect(err).not.toContain('secret');
    expect((await run(list, { ...env, HTTPS_PROXY: 'socks5://127.0.0.1' })).code).toBe(64);
  });
});

describe('an authority of your own', () => {
  const url = () => ({ TONEROW_URL: `https://127.0.0.1:${portOf(secure)}` });

  it('is trusted by its file, and its setting is named where it is missing', async () => {
    const without = await run(['products', 'list'], url());
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('SSL_CERT_FILE')]);
    expect((await run(list, { ...url(), SSL_CERT_FILE: path.join(home, 'ca.pem') })).out).toBe('[]\n');
  });

  it.each([
    ['missing.pem', 'cannot be read (ENOENT)'],
    ['empty.pem', 'holds no certificate'],
  ])('is not in %s', async (file, why) => {
    const { code, err } = await run(list, { ...url(), SSL_CERT_FILE: path.join(home, file) });
    expect([code, err]).toEqual([64, expect.stringContaining(why)]);
  });
});

it('JSON goes by the fetch that Node has, and a file by one that waits longer', async () => {
  fake.answers = {
    'GET /api/products': [200, []],
    'GET /api/imports/demo/available': [200, 'Serial,Product\n'],
  };
  const own = vi.spyOn(globalThis, 'fetch');
  try {
    expect((await run(list, { TONEROW_URL: fake.url })).code).toBe(0);
    expect(own).toHaveBeenCalledTimes(1);
    expect((await run(['serials', 'demo', 'available'], { TONEROW_URL: fake.url })).code).toBe(0);
    expect(own).toHaveBeenCalledTimes(1);
  } finally {
    own.mockRestore();
  }
});
