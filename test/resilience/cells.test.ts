import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
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
let name: { url: string };
let proxy: ReturnType<typeof execa>;

beforeAll(async () => {
  cells = [await makeCell('eu1.tonerow.example'), await makeCell('us1.tonerow.example')];
  const list = cells.map(({ outside, server }) => `https://${outside}=${server.url}`).join(' ');
  proxy = execa(process.execPath, ['deploy/cells.mjs'], {
    reject: false,
    env: { CELLS: list, PORT: '0', DRAIN_SECONDS: '1' },
  });
  const [line] = (await once(proxy.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  name = { url: `http://127.0.0.1:${/\d+/.exec(String(line))?.[0]}` };
});
afterAll(async () => {
  proxy.kill('SIGKILL');
  for (const { server } of cells) await server.stop();
});

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

it('a key of no cell is nobody’s, and who is nobody’s yet begins in the newest one', async () => {
  const stranger = await call(name, 'POST', '/api/license/v1/validate', { token: 'tnr_plg_unknown', body: {} });
  expect(stranger.status).toBe(404);
  const home = await page('/');
  expect([home.status, home.headers.get('location')]).toEqual([307, 'https://us1.tonerow.example/']);
  const login = await call(name, 'POST', '/api/auth/login', { body: { email: 'a@example.com', password: 'x' } });
  expect(login.status).toBe(421);
});

it('a connection that sends nothing holds up no stop', { timeout: 15_000 }, async () => {
  const silent = connect(Number(new URL(name.url).port), '127.0.0.1');
  await once(silent, 'connect');
  proxy.kill('SIGTERM');
  expect((await proxy).exitCode).toBe(0);
});
