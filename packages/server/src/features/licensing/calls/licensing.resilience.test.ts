import { connect, createServer, type Socket } from 'node:net';
import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256 } from '#platform/secrets/secrets.ts';

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

describe('many calls at once', () => {
  it('are each answered with their own license', async () => {
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 5 });
    for (const [index, { code }] of serials.entries()) await activate(code, `mac-${index}`);
    const bea = await pluginKey(await signUp(server));
    const answers = await Promise.all(
      Array.from({ length: 400 }, async (_, call) => {
        const [index, kind] = [call % 5, Math.floor(call / 5) % 4];
        const license_key = kind === 1 ? 'AAAA-AAAA-AAAA-AAAA' : (serials[index]?.code as string);
        const machine_id = kind === 2 ? `mac-${(index + 1) % 5}` : `mac-${index}`;
        const { body } = await ask('validate', { license_key, machine_id }, kind === 3 ? bea : key);
        const claims = body.validation_token
          ? JSON.parse(Buffer.from(body.validation_token.split('.')[1], 'base64url').toString())
          : {};
        return [kind, body.status, claims.sub === serials[index]?.id].join(' ');
      }),
    );
    expect(new Set(answers)).toEqual(
      new Set(['0 active true', '1 not_found false', '2 not_activated false', '3 not_found false']),
    );
  });

  it('accept a token that was given again, in every process, before it is written down', async () => {
    const second = await startServer({ db: server.db });
    try {
      const { code } = await serial();
      const first = await activate(code, 'mac');
      // a token contains the second in which it was issued
      const again = await vi.waitUntil(
        async () => {
          const token = await activate(code, 'mac');
          return token !== first && token;
        },
        { timeout: 15_000 },
      );
      const [row] = await server.db.query<{ token_hash: Buffer }>(
        'select token_hash from activations a join serials s on (s.developer_id, s.id) = (a.developer_id, a.serial_id) where s.code = $1',
        [code],
      );
      expect(row?.token_hash.equals(sha256(first))).toBe(true);
      for (const at of [server, second]) {
        for (const validation_token of [first, again]) {
          const { body } = await ask('validate', { license_key: code, machine_id: 'mac', validation_token }, key, at);
          expect(body).toMatchObject({ ok: true });
        }
      }
      expect((await ask('deactivate', { license_key: code, machine_id: 'mac' })).body.ok).toBe(true);
      for (const validation_token of [first, again]) {
        const { body } = await ask('validate', { license_key: code, machine_id: 'mac', validation_token });
        expect(body.status).toBe('not_activated');
      }
    } finally {
      await second.stop();
    }
  });
});

describe('a plugin key under load', () => {
  it('is rotated without one refusal, and refused everywhere soon after it is stopped or deleted', async () => {
    const second = await startServer({ db: server.db });
    const made = await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} });
    const old = { id: made.body.key.id as string, secret: made.body.plaintext as string };
    const { code } = await serial();
    await activate(code, 'mac');
    const seen: { secret: string; status: string; at: number }[] = [];
    let secrets = [old.secret];
    let goesOn = true;
    const load = Array.from({ length: 8 }, async (_, index) => {
      while (goesOn) {
        for (const secret of secrets) {
          const at = performance.now();
          const answer = await ask(
            'validate',
            { license_key: code, machine_id: 'mac' },
            secret,
            index % 2 ? second : server,
          );
          seen.push({ secret, status: answer.body.status, at });
        }
      }
    });
    const of = (secret: string, since = 0, until = Number.POSITIVE_INFINITY) => [
      ...new Set(
        seen.filter((each) => each.secret === secret && each.at > since && each.at < until).map(({ status }) => status),
      ),
    ];
    /** Waits until a call with this key that began after a moment has been answered. */
    const loaded = (secret: string, after: number) =>
      vi.waitUntil(() => seen.some((each) => each.secret === secret && each.at > after), { timeout: 10_000 });
    const change = (method: 'PATCH' | 'POST' | 'DELETE', path: string, body?: object) =>
      call(server, method, `/api/developer/plugin-keys/${path}`, { token: ada.token, ...(body ? { body } : {}) });
    try {
      await loaded(old.secret, 0);
      const rotated = await change('POST', `${old.id}/rotate`, { grace_seconds: 3600 });
      const next = { id: rotated.body.key.id as string, secret: rotated.body.plaintext as string };
      secrets = [old.secret, next.secret];
      // longer than any process caches a key
      await loaded(next.secret, performance.now() + 700);
      expect([of(old.secret), of(next.secret)]).toEqual([['active'], ['active']]);

      await change('PATCH', old.id, { is_active: false });
      const stopped = performance.now();
      await loaded(old.secret, stopped + 1300);
      expect(of(old.secret, stopped + 1000)).toEqual(['unauthorized']);
      expect(of(next.secret)).toEqual(['active']);

      const before = performance.now();
      await change('DELETE', next.id);
      const deleted = performance.now();
      await loaded(next.secret, deleted + 1300);
      expect(of(next.secret, 0, before - 1000)).toEqual(['active']);
      expect(of(next.secret, deleted + 1000)).toEqual(['unauthorized']);
    } finally {
      goesOn = false;
      await Promise.all(load);
      await second.stop();
    }
  }, 60_000);
});

describe('tokens of another machine or developer', () => {
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

it('reports that the database is down, and recovers with it', async () => {
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
});

/** A proxy between a server and its database that can be cut like a cable. */
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
