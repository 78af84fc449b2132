import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';
import { call } from '@tonerow/test-support/http.ts';
import { type LicenseScene, licenseScene, refusal } from '@tonerow/test-support/license-calls.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let scene: LicenseScene;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  scene = await licenseScene({ server, clock });
});
afterAll(() => server.stop());

const jwks = async () =>
  (await call(server, 'GET', `/api/license/v1/jwks?dev=${scene.ada.id}`)).body.keys as {
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

it('validation tokens can be verified with the public keys alone, and carry the right claims', async () => {
  const { activate, product, serial } = scene;
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

it('validation tokens are renewed when half of their lifetime is over or none was sent', async () => {
  const { activate, ask, pass, serial } = scene;
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

it('validation tokens name what the product wants when a license is lost, and a change of it renews them', async () => {
  const { activate, ask, pass, serial, product, ada } = scene;
  const { code } = await serial();
  const want = async (on_loss: string) => {
    const body = { on_loss };
    expect((await call(server, 'PUT', `/api/products/${product.id}`, { token: ada.token, body })).status).toBe(200);
    await pass(1);
  };
  const lossIn = (token: string) => decode(token.split('.')[1]).loss;
  const machine = { license_key: code, machine_id: 'm' };
  const first = (await activate(code, 'm')).body.validation_token as string;
  await want('mute');
  const second = (await ask('validate', { ...machine, validation_token: first })).body.validation_token as string;
  expect(lossIn(second)).toBe('mute');
  expect((await ask('validate', { ...machine, validation_token: second })).body).not.toHaveProperty('validation_token');
  await want('bypass');
  expect(lossIn((await activate(code, 'm')).body.validation_token)).toBe('bypass');
  await want('finish');
  const last = (await ask('validate', { ...machine, validation_token: second })).body.validation_token as string;
  expect(decode(last.split('.')[1])).not.toHaveProperty('loss');
});

it('validation tokens of another machine, serial or making are refused', async () => {
  const { activate, ask, serial } = scene;
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

it('validation tokens have keys for every developer who has signed, and none for a stranger', async () => {
  expect((await jwks()).length).toBe(1);
  expect((await call(server, 'GET', '/api/license/v1/jwks?dev=01900000-0000-7000-8000-000000000000')).status).toBe(404);
  expect((await call(server, 'GET', '/api/license/v1/jwks?dev=x')).status).toBe(400);
});
