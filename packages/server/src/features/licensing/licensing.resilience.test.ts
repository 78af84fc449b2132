import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, type Person, signUp } from '../../../../../test/support/http.ts';
import { startServer, type TestServer } from '../../../../../test/support/server.ts';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string };

beforeAll(async () => {
  server = await startServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
  key = await pluginKey(ada);
});
afterAll(() => server.stop());

async function pluginKey(person: Person): Promise<string> {
  return (await call(server, 'POST', '/api/developer/plugin-keys', { token: person.token, body: {} })).body.plaintext;
}
const serial = async (token = ada.token, productId = product.id) =>
  (await makeSerials(server, token, productId, { quantity: 1 }))[0] as { id: string; code: string };
const ask = (verb: string, body: object, token = key, at: { url: string } = server) =>
  call(at, 'POST', `/api/license/v1/${verb}`, { token, body });
const activate = async (license_key: string, machine_id: string, token = key) =>
  (await ask('activate', { license_key, machine_id, email: 'nina@example.com' }, token)).body
    .validation_token as string;

describe('two processes on one database', () => {
  it('obey each other’s revocations and seats by the next call', async () => {
    const second = await startServer({ db: server.db });
    try {
      const { id, code } = await serial();
      const machine = { license_key: code, machine_id: 'mac' };
      await activate(code, 'mac');
      const there = () => ask('validate', machine, key, second);
      expect((await there()).body).toMatchObject({ ok: true, max_activations: 3 });
      await call(server, 'PATCH', `/api/serials/${id}/seats`, { token: ada.token, body: { max_activations: 7 } });
      expect((await there()).body).toMatchObject({ ok: true, max_activations: 7 });
      await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
      expect((await there()).body.status).toBe('revoked');
      await call(server, 'PATCH', `/api/serials/reassign/${id}`, { token: ada.token });
      expect((await there()).body.ok).toBe(true);
    } finally {
      await second.stop();
    }
  });
});

describe('tokens of somebody else', () => {
  it('are refused: another product’s, another developer’s', async () => {
    const { code } = await serial();
    await activate(code, 'mac');
    const other = await makeProduct(server, ada.token);
    const cheap = await activate((await serial(ada.token, other.id)).code, 'mac');
    const bea = await signUp(server);
    const theirs = await makeProduct(server, bea.token);
    const foreign = await activate((await serial(bea.token, theirs.id)).code, 'mac', await pluginKey(bea));
    expect(foreign).toBeTruthy();
    for (const validation_token of [cheap, foreign]) {
      const answer = await ask('validate', { license_key: code, machine_id: 'mac', validation_token });
      expect([answer.status, answer.body.status]).toEqual([403, 'invalid_token']);
    }
    const strange = await ask('validate', { license_key: code, machine_id: 'mac' }, await pluginKey(bea));
    expect(strange.body.status).toBe('not_found');
  });
});

it('credentials in a query are not taken by v1, and never logged', async () => {
  const query = `?app_id=${ada.id}&app_key=${key}`;
  const body = { license_key: 'AAAA', machine_id: 'a-machine-in-a-body' };
  for (const path of ['validate', 'activate', 'nowhere'].map((name) => `/api/license/v1/${name}${query}`)) {
    expect((await call(server, 'POST', path, { body })).body.ok).not.toBe(true);
  }
  expect((await call(server, 'GET', `/api/license/v1/time${query}`)).status).toBe(401);
  expect(server.logged()).not.toContain(key);
  expect(server.logged()).not.toContain('a-machine-in-a-body');
});

it('without its database it says so, and goes on when that is back', async () => {
  const proxy = await standIn(server.db.url);
  const away = await startServer({ db: { ...server.db, url: proxy.url } });
  try {
    const { code } = await serial();
    await activate(code, 'mac');
    const validate = () => ask('validate', { license_key: code, machine_id: 'mac' }, key, away);
    expect((await validate()).body.ok).toBe(true);
    proxy.cut();
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await validate();
      expect([answer.status, answer.body.ok, answer.body.status]).toEqual([503, false, 'unavailable']);
      expect(answer.body.error).toBeTruthy();
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const signed = await call(away, 'POST', '/api/license/v1/validate', {
      token: key,
      body: { license_key: code, machine_id: 'mac' },
      headers: { 'x-tonerow-sign': '1' },
    });
    expect(signed.status).toBe(503);
    proxy.mend();
    expect((await validate()).body.ok).toBe(true);
  } finally {
    proxy.mend();
    await away.stop();
    await proxy.close();
  }
}, 30_000);

/** Between a server and its database, to be cut like a cable. */
async function standIn(database: string) {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as { port: number }).port);
  return {
    url: url.toString(),
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close: () => new Promise((resolve) => proxy.close(resolve)),
  };
}
