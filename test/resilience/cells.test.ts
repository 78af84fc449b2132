import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Cell {
  server: TestServer;
  /** The address at which people reach it. */
  outside: string;
  developer: { id: string; token: string };
  key: string;
  code: string;
}

let cells: Cell[];
/** A cell that has nothing, and notes who asked. */
let empty: Awaited<ReturnType<typeof startEmpty>>;
let name: { url: string };
let proxy: ReturnType<typeof execa>;

beforeAll(async () => {
  cells = [await makeCell('eu1.tonerow.example'), await makeCell('us1.tonerow.example')];
  empty = await startEmpty();
  const list = [`https://none.tonerow.example=${empty.url}`]
    .concat(cells.map(({ outside, server }) => `https://${outside}=${server.url}`))
    .join(' ');
  proxy = execa(process.execPath, ['deploy/cells.mjs'], {
    reject: false,
    env: { NAME: '127.0.0.1', CELLS: list, PORT: '0', DRAIN_SECONDS: '1' },
  });
  const [line] = (await once(proxy.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  name = { url: `http://127.0.0.1:${/\d+/.exec(String(line))?.[0]}` };
});
afterAll(async () => {
  proxy.kill('SIGKILL');
  empty.stop();
  for (const { server } of cells) await server.stop();
});

async function startEmpty() {
  const visitors: unknown[] = [];
  const hung = Promise.withResolvers<void>();
  let hangs = false;
  const server = createServer((request, response) => {
    visitors.push(request.headers['x-forwarded-for']);
    if (hangs) response.once('close', hung.resolve);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    visitors,
    /** Answers nobody from now on. @returns when somebody has given up waiting. */
    hang(): Promise<void> {
      hangs = true;
      return hung.promise;
    },
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What comes back for a first line that no browser sends. */
async function rawly(lines: string): Promise<string> {
  const socket = connect(Number(new URL(name.url).port), '127.0.0.1');
  socket.write(`${lines}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

async function makeCell(outside: string): Promise<Cell> {
  const server = await startServer({ env: { TONEROW_PUBLIC_URL: `https://${outside}` } });
  const developer = await signUp(server);
  const product = await makeProduct(server, developer.token);
  const [serial] = await makeSerials(server, developer.token, product.id, { quantity: 1 });
  const made = await call(server, 'POST', '/api/developer/plugin-keys', { token: developer.token, body: {} });
  return { server, outside, developer, key: made.body.plaintext, code: serial?.code ?? '' };
}

const page = (path: string) =>
  fetch(`${name.url}${path}`, { redirect: 'manual', headers: { accept: 'text/html,application/xhtml+xml' } });

/** `fetch` sends no other host than that of the address. */
async function brandingFor(host: string, asked: string) {
  const request = get(`${name.url}/api/branding/domain?host=${asked}`, { headers: { host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: (await json(response)) as { code?: string } };
}

describe.each([0, 1])('cell %i of two behind one name', (n) => {
  it('is found by the key of its plugin, and changes what is there', async () => {
    const { key, code, server, developer } = cells[n] as Cell;
    const body = { license_key: code, machine_id: `machine-${n}`, email: 'fan@example.com' };
    const activated = await call(name, 'POST', '/api/license/v1/activate', { token: key, body });
    expect([activated.status, activated.body.status]).toEqual([200, 'active']);
    const own = await server.db.query('select 1 from activations where developer_id = $1', [developer.id]);
    expect(own).toHaveLength(1);
  });

  it('is found by the id of its developer, whose pages are on its own host', async () => {
    const { developer, outside } = cells[n] as Cell;
    const path = `/redeem?dev=${developer.id}`;
    const shown = await page(path);
    expect([shown.status, shown.headers.get('location')]).toEqual([307, `https://${outside}${path}`]);
    const branding = await call(name, 'GET', `/api/developer/branding?dev=${developer.id}`);
    expect(branding.status).toBe(200);
  });

  it('is found by the domain of its developer', async () => {
    const { server, developer } = cells[n] as Cell;
    const host = `licenses-${n}.row.example`;
    await server.db.query(
      `insert into custom_domains (id, developer_id, host, verified_at, checked_at, created_at)
       values (gen_random_uuid(), $1, $2, now(), now(), now())`,
      [developer.id, host],
    );
    const { status, body } = await brandingFor(host, 'x');
    // asked for another host, it is the cell that refuses
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect((await brandingFor(host, host)).status).toBe(200);
  });
});

it('a key of no cell gets the refusal of a cell, and who is nobody’s yet begins in the newest one', async () => {
  for (const token of ['tnr_plg_unknown', undefined]) {
    const { status, body } = await call(name, 'GET', '/api/license/v1/time', { token });
    expect([status, body]).toMatchObject([401, { ok: false, status: 'unauthorized' }]);
  }
  const home = await page('/');
  expect([home.status, home.headers.get('location')]).toEqual([307, 'https://us1.tonerow.example/']);
  expect((await fetch(`${name.url}/register`, { method: 'HEAD', redirect: 'manual' })).status).toBe(307);
  const login = await call(name, 'POST', '/api/auth/login', { body: { email: 'a@example.com', password: 'x' } });
  expect(login.status).toBe(421);
  const unknown = await page(`/redeem?dev=${randomUUID()}`);
  expect([unknown.status, await unknown.text()]).toEqual([
    404,
    expect.stringContaining('<h1>Nobody here has this.</h1>'),
  ]);
});

it('answers for its own health, and for a cell by its host, however that is written', async () => {
  expect(await (await fetch(`${name.url}/livez`)).text()).toBe('ok\n');
  for (const host of ['EU1.Tonerow.example', 'eu1.tonerow.example:443', 'eu1.tonerow.example.'])
    expect(await rawly(`GET /readyz HTTP/1.1\r\nHost: ${host}`), host).toMatch(/^HTTP\/1.1 200 /);
});

it('sends nobody to another site, and survives what is no address', async () => {
  for (const path of ['//evil.example/x', '/\\evil.example/x', 'http://evil.example/x']) {
    const answered = await rawly(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1`);
    expect(answered, path).toMatch(/^HTTP\/1.1 307 /);
    expect(answered, path).toMatch(/\r\nlocation: https:\/\/us1\.tonerow\.example\//i);
  }
  for (const path of ['http://[', '*', 'nonsense'])
    expect(await rawly(`GET ${path} HTTP/1.1\r\nHost: eu1.tonerow.example`), path).toMatch(/^HTTP\/1.1 400 /);
  expect(await rawly('GET // HTTP/1.1\r\nHost: 127.0.0.1')).toMatch(/^HTTP\/1.1 307 /);
  expect((await page('/')).status).toBe(307);
});

it('counts its questions for whoever caused them', async () => {
  empty.visitors.length = 0;
  await rawly('GET / HTTP/1.1\r\nHost: somebody.row.example\r\nX-Forwarded-For: 198.51.100.7');
  expect(empty.visitors).toEqual(['198.51.100.7, 127.0.0.1']);
});

it('waits for no cell that hangs when another one has what is asked for', async () => {
  const { key, developer } = cells[0] as Cell;
  const made = await call(cells[0]?.server as TestServer, 'POST', '/api/developer/plugin-keys', {
    token: developer.token,
    body: {},
  });
  const order: string[] = [];
  const hung = empty.hang().then(() => order.push('given up'));
  const timeBy = (token: string) => call(name, 'GET', '/api/license/v1/time', { token });
  const unknown = timeBy('tnr_plg_other');
  expect((await timeBy(made.body.plaintext)).status).toBe(200);
  order.push('answered');
  await hung;
  expect(order).toEqual(['answered', 'given up']);
  // nobody knows whose an unknown key is now, and plugins hear that in their own form
  const { status, body } = await unknown;
  expect([status, body]).toEqual([503, { ok: false, status: 'unavailable', error: 'Try again in a moment.' }]);
  expect((await timeBy(key)).status).toBe(200);
  expect((await page('/register')).status).toBe(307);
  expect((await page(`/redeem?dev=${developer.id}`)).status).toBe(307);
});

it('a connection that sends nothing holds up no stop', { timeout: 15_000 }, async () => {
  const silent = connect(Number(new URL(name.url).port), '127.0.0.1');
  await once(silent, 'connect');
  proxy.kill('SIGTERM');
  expect((await proxy).exitCode).toBe(0);
});
