import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '../../../../../../test/support/http.ts';
import { setPlan } from '../../../../../../test/support/plans.ts';
import { startServer, type TestServer } from '../../../../../../test/support/server.ts';
import { DAY, TestClock } from '../../../platform/clock.ts';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
afterAll(() => server.stop());

// a visit now and then, or the developer's session would end
const pass = async (days: number) => {
  clock.advance(days * DAY);
  await call(server, 'GET', '/api/auth/me', { token: ada.token });
};
const ask = (verb: string, body: object, token = key) =>
  call(server, 'POST', `/api/license/v1/${verb}`, { token, body });
const serial = async (fields: object = {}) =>
  (await makeSerials(server, ada.token, product.id, { quantity: 1, ...fields }))[0] as { id: string; code: string };
const activate = (license_key: string, machine_id: string, more: object = { email: 'nina@example.com' }) =>
  ask('activate', { license_key, machine_id, ...more });
const refusal = (answer: { status: number; body: { status: string; ok: boolean; error: string } }) => {
  expect(answer.body.ok).toBe(false);
  expect(answer.body.error).toBeTruthy();
  return [answer.status, answer.body.status];
};

describe('plugin keys', () => {
  const keys = '/api/developer/plugin-keys';

  it('are created, listed without their secret, shown again with a record, and deleted', async () => {
    const made = await call(server, 'POST', keys, { token: ada.token, body: { label: 'Release' } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ok: true,
      plaintext: expect.stringMatching(/^tnr_plg_[0-9A-Za-z]{36}$/),
      key: { label: 'Release', isActive: true, lastUsedAt: null },
    });
    const { id } = made.body.key;
    const list = await call(server, 'GET', keys, { token: ada.token });
    expect(list.body.keys.map((each: { label: string }) => each.label)).toEqual(['Release', 'Universal API key']);
    expect(list.text).not.toContain(made.body.plaintext);
    const secret = await call(server, 'GET', `${keys}/${id}/secret`, { token: ada.token });
    expect(secret.body).toEqual({ ok: true, plaintext: made.body.plaintext });
    expect(await server.db.query('select developer_id from plugin_key_reveals where key_id = $1', [id])).toEqual([
      { developer_id: ada.id },
    ]);
    const stored = JSON.stringify(
      await server.db.query("select encode(sealed, 'escape') as s, encode(key_hash, 'escape') as h from plugin_keys"),
    );
    expect(stored).not.toContain(made.body.plaintext);
    const stranger = await signUp(server);
    expect((await call(server, 'GET', `${keys}/${id}/secret`, { token: stranger.token })).status).toBe(404);
    expect((await call(server, 'DELETE', `${keys}/${id}`, { token: stranger.token })).status).toBe(404);
    const { code } = await serial();
    expect((await ask('validate', { license_key: code, machine_id: 'm' }, made.body.plaintext)).body.status).toBe(
      'not_activated',
    );
    expect((await call(server, 'DELETE', `${keys}/${id}`, { token: ada.token })).body).toEqual({ ok: true });
    expect(await server.db.query('select key_id, label from plugin_key_reveals')).toEqual([
      { key_id: null, label: 'Release' },
    ]);
    expect(refusal(await ask('validate', { license_key: code, machine_id: 'm' }, made.body.plaintext))).toEqual([
      401,
      'unauthorized',
    ]);
  });
});

describe('activating', () => {
  it('redeems a serial without an owner, and requires an email address for that', async () => {
    const { id, code } = await serial();
    expect(refusal(await activate(code, 'mac-1', {}))).toEqual([422, 'email_required']);
    expect(refusal(await activate(code, 'mac-1', { email: 'nobody' }))).toEqual([400, 'invalid_request']);
    const done = await activate(` ${code.toLowerCase().replaceAll('-', ' ')}`, 'mac-1');
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ ok: true, status: 'active', max_activations: 3, remaining: 2 });
    expect(done.text).not.toMatch(/nina|@/);
    expect(
      await server.db.query('select source, final_price_cents from redemptions where serial_id = $1', [id]),
    ).toEqual([{ source: 'activation', final_price_cents: 4900 }]);
  });

  it('is idempotent on one machine, and takes one seat for many calls at once', async () => {
    const { id, code } = await serial();
    const answers = await Promise.all(Array.from({ length: 6 }, () => activate(code, 'mac-1')));
    expect(new Set(answers.map((answer) => answer.body.remaining))).toEqual(new Set([2]));
    expect(await server.db.query('select seats_used from serials where id = $1', [id])).toEqual([{ seats_used: 1 }]);
  });

  it('gives three seats to twenty machines', async () => {
    const { id, code } = await serial();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => activate(code, `machine-${i}`)));
    expect(answers.filter((answer) => answer.body.ok)).toHaveLength(3);
    expect(new Set(answers.filter((answer) => !answer.body.ok).map((answer) => answer.body.status))).toEqual(
      new Set(['seat_limit']),
    );
    expect(await server.db.query('select 1 from activations where serial_id = $1', [id])).toHaveLength(3);
    expect(await server.db.query('select 1 from redemptions where serial_id = $1', [id])).toHaveLength(1);
  });

  it('takes a seat again after it was freed, once', async () => {
    const { code } = await serial();
    for (const machine of ['a', 'b', 'c']) expect((await activate(code, machine)).body.ok).toBe(true);
    expect(refusal(await activate(code, 'd'))).toEqual([409, 'seat_limit']);
    const free = () => ask('deactivate', { license_key: code, machine_id: 'a' });
    const freed = await Promise.all([free(), free()]);
    expect(freed.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect(freed.find((answer) => answer.status === 200)?.body).toMatchObject({
      ok: true,
      status: 'deactivated',
      remaining: 1,
    });
    expect((await activate(code, 'd')).body.remaining).toBe(0);
    expect(refusal(await activate(code, 'a'))).toEqual([409, 'seat_limit']);
  });

  it('names the reason for a refusal', async () => {
    const owned = await serial();
    await redeem(server, owned.code, 'owner@example.com');
    expect(refusal(await activate(owned.code, 'm', { email: 'thief@example.com' }))).toEqual([403, 'email_mismatch']);
    expect((await activate(owned.code, 'm', {})).body.ok).toBe(true);
    expect(refusal(await activate(owned.code, 'm2', { product_id: ada.id }))).toEqual([422, 'product_mismatch']);
    expect((await activate(owned.code, 'm2', { product_id: product.id })).body.ok).toBe(true);
    await call(server, 'PATCH', `/api/serials/revoke/${owned.id}`, { token: ada.token });
    expect(refusal(await activate(owned.code, 'm'))).toEqual([403, 'revoked']);
    expect(refusal(await ask('validate', { license_key: owned.code, machine_id: 'm' }))).toEqual([403, 'revoked']);
    expect(refusal(await activate('AAAA-AAAA-AAAA-AAAA', 'm'))).toEqual([404, 'not_found']);
    const future = await serial({ promo_price: 1, promo_start: '2027-01-01' });
    expect(refusal(await activate(future.code, 'm'))).toEqual([403, 'not_yet_valid']);
    const expiring = await serial({ expires_at: '2026-03-11' });
    const kept = await serial({ expires_at: '2026-03-11' });
    expect((await activate(kept.code, 'm')).body.ok).toBe(true);
    await pass(2);
    expect(refusal(await activate(expiring.code, 'm'))).toEqual([403, 'expired']);
    expect((await ask('validate', { license_key: kept.code, machine_id: 'm' })).body.ok).toBe(true);
  });

  it('stops new owners at the cap of Starter, and never those who have it already', async () => {
    const bea = await signUp(server);
    const theirs = await makeProduct(server, bea.token);
    const beaKey = (await call(server, 'POST', '/api/developer/plugin-keys', { token: bea.token, body: {} })).body
      .plaintext;
    const codes = await makeSerials(server, bea.token, theirs.id, { quantity: 51 });
    const answers = await Promise.all(
      codes.map((each, i) =>
        ask('activate', { license_key: each.code, machine_id: 'm', email: `fan${i}@example.com` }, beaKey),
      ),
    );
    const blocked = answers.findIndex((answer) => !answer.body.ok);
    expect(answers.filter((answer) => answer.body.ok)).toHaveLength(50);
    expect(refusal(answers[blocked] as never)).toEqual([403, 'quota_blocked']);
    const lucky = codes[blocked === 0 ? 1 : 0]?.code;
    expect(
      (await ask('activate', { license_key: lucky, machine_id: 'second machine'.replace(' ', '-') }, beaKey)).body.ok,
    ).toBe(true);
    expect((await ask('validate', { license_key: lucky, machine_id: 'm' }, beaKey)).body.ok).toBe(true);
    expect(refusal(await activate(lucky as string, 'm'))).toEqual([404, 'not_found']);
  });
});

describe('validation tokens', () => {
  const jwks = async () =>
    (await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`)).body.keys as {
      kid: string;
      x: string;
      kty: string;
      crv: string;
    }[];
  const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
  const forge = (header: object, claims: object, signature: (text: string) => string) => {
    const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${text}.${signature(text)}`;
  };

  it('can be verified with the public keys alone, and carry the right claims', async () => {
    const { id, code } = await serial();
    const { validation_token } = (await activate(code, 'studio-mac')).body;
    const [head, body, signature] = validation_token.split('.');
    const jwk = (await jwks()).find((each) => each.kid === decode(head).kid);
    expect(decode(head).alg).toBe('EdDSA');
    const publicKey = createPublicKey({ key: jwk as never, format: 'jwk' });
    expect(verify(null, Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    const now = Math.floor(clock.now().getTime() / 1000);
    expect(decode(body)).toEqual({
      iss: server.url,
      sub: id,
      aud: product.id,
      mid: createHash('sha256').update('studio-mac').digest('hex'),
      iat: now,
      exp: now + 30 * 86_400,
      lic: null,
    });
  });

  it('are renewed when half of their lifetime is over or none was sent', async () => {
    const { code } = await serial();
    const first = (await activate(code, 'm')).body.validation_token as string;
    const validate = (validation_token?: string) =>
      ask('validate', { license_key: code, machine_id: 'm', validation_token });
    expect((await validate()).body.validation_token).toBeTruthy();
    await pass(14);
    expect((await validate(first)).body).toEqual({ ok: true, status: 'active', max_activations: 3, remaining: 2 });
    await pass(2);
    const second = (await validate(first)).body.validation_token as string;
    expect(second).toMatch(/^ey/);
    expect(second).not.toBe(first);
    expect((await validate(second)).body.ok).toBe(true);
    await pass(15);
    // ended, and the machine has its seat: it was offline for long
    const third = (await validate(first)).body.validation_token as string;
    expect(third).toBeTruthy();
    expect((await validate(third)).body).toEqual({ ok: true, status: 'active', max_activations: 3, remaining: 2 });
    expect((await validate(second)).body.ok).toBe(true);
    for (let month = 0; month < 12; month += 1) await pass(29);
    expect((await validate(first)).body).toMatchObject({ ok: true, validation_token: expect.any(String) });
    await ask('deactivate', { license_key: code, machine_id: 'm' });
    expect(refusal(await validate(first))).toEqual([409, 'not_activated']);
  });

  it('of another machine, serial or making are refused', async () => {
    const [one, two] = [await serial(), await serial()];
    const token = (await activate(one.code, 'm1')).body.validation_token as string;
    const other = (await activate(one.code, 'm2')).body.validation_token as string;
    const foreign = (await activate(two.code, 'm1')).body.validation_token as string;
    const [head, body] = token.split('.') as [string, string];
    const far = { ...decode(body), exp: 9_999_999_999 };
    const [jwk] = await jwks();
    const forged = [
      other,
      foreign,
      `${head}.${body}.${'A'.repeat(86)}`,
      forge({ alg: 'none', kid: jwk?.kid }, far, () => ''),
      forge({ alg: 'none', kid: jwk?.kid }, far, () => 'x'),
      forge({ alg: 'HS256', kid: jwk?.kid }, far, (text) =>
        createHmac('sha256', Buffer.from(jwk?.x ?? '', 'base64url'))
          .update(text)
          .digest('base64url'),
      ),
      forge({ alg: 'EdDSA', kid: 'unknown' }, far, () => 'A'.repeat(86)),
      'rubbish',
      'a.b.c',
    ];
    for (const validation_token of forged) {
      const answer = await ask('validate', { license_key: one.code, machine_id: 'm1', validation_token });
      expect(refusal(answer), validation_token).toEqual([403, 'invalid_token']);
    }
  });

  it('have keys for every developer who has signed, and none for a stranger', async () => {
    expect((await jwks()).length).toBe(1);
    expect((await call(server, 'GET', '/api/license/v1/jwks?dev=01900000-0000-7000-8000-000000000000')).status).toBe(
      404,
    );
    expect((await call(server, 'GET', '/api/license/v1/jwks?dev=x')).status).toBe(400);
  });
});

describe('requests', () => {
  const send = (body: string, headers: Record<string, string>, path = '/api/license/v1/validate') =>
    call(server, 'POST', path, { body, headers });

  it('are taken with any of the credentials, as JSON or as a form, with a slash at the end, under any label', async () => {
    const { code } = await serial();
    await activate(code, 'm');
    const json = JSON.stringify({ license_key: code, machine_id: 'm', unknown: 'field' });
    const form = `license_key=${code}&machine_id=m`;
    const bearer = { authorization: `Bearer ${key}` };
    const type = 'application/json';
    for (const answer of [
      await send(json, { ...bearer, 'content-type': type }),
      await send(json, { 'x-ss-api-key': key, 'content-type': type }),
      await send(json, { 'x-app-id': ada.id, 'x-app-key': key, 'content-type': type }),
      await send(form, { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }),
      await send(json, { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }),
      await send(json, { ...bearer, 'content-type': 'text/plain' }),
      await send(form, { ...bearer, 'content-type': 'application/octet-stream' }, '/api/license/v1/validate/'),
    ]) {
      expect(answer.body).toMatchObject({ ok: true, status: 'active' });
    }
  });

  it('that cannot be read are refused in the API’s own form, never with a 500', async () => {
    const bearer = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const bodies = [
      '',
      '{"license_key":',
      '[]',
      '{}',
      '{"license_key":"A","machine_id":""}',
      `{"license_key":"A","machine_id":"${'x'.repeat(10_000)}"}`,
      '{"license_key":"A","machine_id":"a,b"}',
      '{"license_key":"A","machine_id":"a;b"}',
      '{"license_key":"A","machine_id":"a#b"}',
      '{"license_key":"A","machine_id":"a b"}',
      '{"license_key":"A","machine_id":"a\\u0000b"}',
      '{"license_key":"A\\u0000","machine_id":"a"}',
      '{"license_key":7,"machine_id":"a"}',
    ];
    for (const body of bodies) {
      const answer = await send(body, bearer);
      expect(refusal(answer), body.slice(0, 60)).toEqual([400, 'invalid_request']);
    }
    expect(refusal(await send(`{"license_key":"${'x'.repeat(1_200_000)}"}`, bearer))).toEqual([413, 'invalid_request']);
  });

  it('of another method, or of no call at all, are refused in the API’s own form too', async () => {
    const calls: [string, string, string][] = [
      ['GET', 'v1/activate', 'POST'],
      ['PUT', 'v1/validate/?a=b', 'POST'],
      ['DELETE', 'v1/keyfile', 'POST'],
      ['POST', 'v1/jwks', 'GET, HEAD'],
      ['PATCH', 'juce/unlock', 'GET, POST'],
      ['GET', 'deactivate', 'POST'],
    ];
    for (const [method, path, allowed] of calls) {
      const answer = await call(server, method, `/api/license/${path}`, { token: key });
      expect(refusal(answer), path).toEqual([405, 'invalid_request']);
      expect(answer.headers.get('allow')).toBe(allowed);
    }
    for (const path of ['', '/', '/v1', '/v2/activate', '/v1/activate/more', '/nothing?license_key=x', '//v1']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await call(server, method, `/api/license${path}`, {
          token: key,
          body: method === 'GET' ? undefined : {},
        });
        expect(refusal(answer), `${method} ${path}`).toEqual([404, 'not_found']);
      }
    }
    // what only begins alike is no part of it
    expect((await call(server, 'GET', '/api/licenses')).body.code).toBe('not_found');
  });

  it('without a usable key are unauthorized', async () => {
    const body = '{"license_key":"A","machine_id":"a"}';
    const credentials: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${ada.token}` },
      { 'x-ss-api-key': `${key.slice(0, -1)}!` },
      { 'x-app-key': key },
      { 'x-app-id': product.id, 'x-app-key': key },
    ];
    for (const headers of credentials) {
      expect(refusal(await send(body, { 'content-type': 'application/json', ...headers }))).toEqual([
        401,
        'unauthorized',
      ]);
    }
  });

  it('are limited, in the API’s own form', async () => {
    const limited = await startServer({
      db: server.db,
      env: { TONEROW_RATE_LIMITS: 'on', TONEROW_SECRET: 'a secret for the tests that is long enough to be one' },
    });
    try {
      let last = await call(limited, 'POST', '/api/license/v1/validate', {
        token: key,
        body: { license_key: 'A', machine_id: 'a' },
      });
      expect(last.headers.get('ratelimit')).toMatch(/^"license";r=\d+;t=\d+$/);
      for (let sent = 0; sent < 80 && last.status !== 429; sent += 1) {
        const batch = await Promise.all(
          Array.from({ length: 100 }, () =>
            call(limited, 'POST', '/api/license/v1/validate', {
              token: key,
              body: { license_key: 'A', machine_id: 'a' },
            }),
          ),
        );
        last = batch.find((answer) => answer.status === 429) ?? (batch[0] as typeof last);
      }
      expect(refusal(last)).toEqual([429, 'rate_limited']);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.stop();
    }
  });
});

it('logs neither keys nor codes nor machines', async () => {
  const { code } = await serial();
  await activate(code, 'a-very-special-machine');
  const logged = server.logged();
  for (const secret of [key, code, code.replaceAll('-', ''), 'a-very-special-machine', 'nina@'])
    expect(logged).not.toContain(secret);
});
