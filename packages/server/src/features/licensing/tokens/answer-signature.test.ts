import { createHash, createPublicKey, verify } from 'node:crypto';
import { type Answer, call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';
import { verifyAnswer } from '../../../../../sdk/src/index.ts';

let server: SharedServer;
let ada: Person;
let key: string;
let code: string;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
  code = (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.code as string;
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});

const post = (path: string, body: unknown, headers: Record<string, string>, token = key) =>
  call(server, 'POST', path, { token, body, headers });

/** As a plugin does it, with nothing but the documentation and the published keys. */
async function isGenuine(answer: Answer, asked: { method: string; path: string; nonce: string }): Promise<boolean> {
  const header = answer.headers.get('x-tonerow-signature') ?? '';
  const [, signature, kid] = /^ed25519=([A-Za-z0-9+/=]+); kid=([0-9a-f-]+)$/.exec(header) ?? [];
  const date = answer.headers.get('x-tonerow-date');
  if (!signature || Math.abs(Number(date) - Date.now() / 1000) > 300) return false;
  const { keys } = (await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`)).body;
  const jwk = keys.find((each: { kid: string }) => each.kid === kid);
  const digest = createHash('sha256').update(answer.text).digest('hex');
  const text = [asked.method, asked.path, digest, date, asked.nonce].join('\n');
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}

it('answers and refusals verify with the published keys alone', async () => {
  const nonce = 'nonce_of-16chars';
  const headers = { 'x-tonerow-nonce': nonce };
  const machine = { license_key: code, machine_id: 'mac' };
  const calls: [string, unknown, number][] = [
    ['/api/license/v1/activate', machine, 422],
    ['/api/license/v1/activate', { ...machine, email: 'nina@example.com' }, 200],
    ['/api/license/v1/validate', machine, 200],
    ['/api/license/v1/validate/', machine, 200],
    ['/api/license/v1/validate', '{"license_key":', 400],
    ['/api/license/v1/validate', { ...machine, license_key: 'AAAA' }, 404],
    ['/api/license/v1/trial', { product_id: ada.id, machine_id: 'mac' }, 404],
    ['/api/license/v1/deactivate', machine, 200],
  ];
  for (const [path, body, status] of calls) {
    const answer = await post(path, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-tonerow-nonce')).toBe(nonce);
    expect(await isGenuine(answer, { method: 'POST', path, nonce }), path).toBe(true);
    for (const forged of [
      { method: 'GET', path, nonce },
      { method: 'POST', path: '/api/license/v1/time', nonce },
      { method: 'POST', path, nonce: 'another-nonce' },
    ]) {
      expect(await isGenuine(answer, forged)).toBe(false);
    }
    expect(await isGenuine({ ...answer, text: `${answer.text} ` }, { method: 'POST', path, nonce })).toBe(false);
  }
});

it('the time is signed, and the query is not part of the path', async () => {
  const path = '/api/license/v1/time';
  const answer = await call(server, 'GET', `${path}?x=1`, { token: key, headers: { 'x-tonerow-sign': '1' } });
  expect(answer.body).toEqual({
    ok: true,
    time: expect.any(String),
    unix: expect.any(Number),
    iso: expect.any(String),
  });
  expect(Math.floor(Date.parse(answer.body.time) / 1000)).toBe(answer.body.unix);
  expect(Math.abs(answer.body.unix - Date.now() / 1000)).toBeLessThan(60);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-tonerow-nonce')).toBeNull();
  expect(await isGenuine(answer, { method: 'GET', path, nonce: '' })).toBe(true);
  expect((await call(server, 'GET', path)).status).toBe(401);
});

it.each([
  ['HISE’s activation', 'POST', '/api/license/activate/', 'key', 'instance_id', 404],
  ['HISE’s validation', 'POST', '/api/license/validate/', 'key', 'instance_id', 404],
  ['HISE’s deactivation', 'POST', '/api/license/deactivate', 'key', 'instance_id', 404],
  ['JUCE’s unlock', 'POST', '/api/license/juce/unlock', 'pw', 'mach', 200],
  ['JUCE’s unlock by GET', 'GET', '/api/license/juce/unlock', 'pw', 'mach', 200],
  ['a key file', 'POST', '/api/license/v1/keyfile', 'license_key', 'machine_id', 404],
  ['an offline licence', 'POST', '/api/license/v1/offline', 'license_key', 'machine_file', 404],
])(
  '%s is signed as v1 is, refused or not, with a key in the query too',
  async (_, method, path, serial, machine, no) => {
    const [own] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const nonce = 'nonce_of-16chars';
    if (/validate|deactivate/.test(path)) {
      const seat = { license_key: own?.code, machine_id: 'L1', email: 'nina@example.com' };
      await post('/api/license/v1/activate', seat, {});
    }
    const credentials = { app_id: ada.id, app_key: key };
    for (const [code, status] of [
      ['AAAA', no],
      [own?.code as string, 200],
    ] as const) {
      const fields = { [serial]: code, [machine]: 'L1', product: product.name, email: 'nina@example.com' };
      const query = new URLSearchParams(method === 'GET' ? { ...fields, ...credentials } : credentials);
      const answer = await call(server, method, `${path}?${query}`, {
        headers: { 'x-tonerow-nonce': nonce, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'GET' ? {} : { body: new URLSearchParams(fields).toString() }),
      });
      expect(answer.status).toBe(status);
      expect(/ERROR|"ok":false/.test(answer.text)).toBe(code === 'AAAA');
      expect(await isGenuine(answer, { method, path, nonce })).toBe(true);
      expect(await isGenuine({ ...answer, text: `${answer.text} ` }, { method, path, nonce })).toBe(false);
    }
    const nobody = await call(server, method, `${path}?app_id=${product.id}&app_key=${key}`, {
      headers: { 'x-tonerow-nonce': nonce },
    });
    expect(nobody.headers.get('x-tonerow-signature')).toBeNull();
  },
);

it('ignores a key in the query on v1 routes', async () => {
  const answer = await call(server, 'POST', `/api/license/v1/validate?app_id=${ada.id}&app_key=${key}`, {
    body: { license_key: code, machine_id: 'mac' },
    headers: { 'x-tonerow-sign': '1' },
  });
  expect([answer.status, answer.headers.get('x-tonerow-signature')]).toEqual([401, null]);
});

it('signs nothing unrequested, for an invalid nonce, or for an unknown caller', async () => {
  const body = { license_key: code, machine_id: 'mac' };
  const bad = ['short', 'x'.repeat(129), 'with spaces in it', 'with:colons'].map((nonce) => ({
    'x-tonerow-nonce': nonce,
  }));
  for (const headers of [{}, { 'x-tonerow-sign': '0' }, ...bad] as Record<string, string>[]) {
    const answer = await post('/api/license/v1/validate', body, headers);
    expect(answer.headers.get('x-tonerow-signature')).toBeNull();
    expect(answer.headers.get('x-tonerow-nonce')).toBeNull();
  }
  const nobody = await post('/api/license/v1/validate', body, { 'x-tonerow-sign': '1' }, 'x');
  expect([nobody.status, nobody.headers.get('x-tonerow-signature')]).toEqual([401, null]);
});

it('the SDK’s verifyAnswer believes what the server answers, yes or no, in v1 and to JUCE', async () => {
  const [own] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const jwks = (await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`)).body;
  const machine = { license_key: own?.code, machine_id: 'L9', email: 'nina@example.com' };
  const form = { pw: own?.code, mach: 'L9', product: product.name, email: 'nina@example.com' };
  const calls: [string, object, string][] = [
    ['/api/license/v1/activate', machine, '"ok":true'],
    ['/api/license/v1/validate', machine, '"ok":true'],
    ['/api/license/v1/validate', { ...machine, machine_id: 'L0' }, '"status":"not_activated"'],
    ['/api/license/juce/unlock', form, '<KEY>'],
    ['/api/license/juce/unlock', { ...form, pw: 'AAAA' }, '<ERROR '],
  ];
  for (const [path, body, expected] of calls) {
    const nonce = crypto.randomUUID();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-tonerow-nonce': nonce };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = { headers: response.headers, body: await response.arrayBuffer() };
    const asked = { method: 'POST', path, nonce };
    expect(new TextDecoder().decode(answer.body)).toContain(expected);
    expect(await verifyAnswer(answer, jwks, asked)).toEqual({
      valid: true,
      keyId: jwks.keys[0].kid,
      signedAt: new Date(Number(response.headers.get('x-tonerow-date')) * 1000),
    });
    const reasonOf = async (changes: object) => {
      const verdict = await verifyAnswer(answer, jwks, { ...asked, ...changes });
      return verdict.valid || verdict.reason;
    };
    expect(await reasonOf({ nonce: 'another-nonce' })).toBe('wrong_nonce');
    expect(await reasonOf({ path: '/api/license/v1/time' })).toBe('signature');
    expect(await reasonOf({ now: new Date(Date.now() + 400_000) })).toBe('too_old');
    expect(await reasonOf({ now: new Date(Date.now() - 400_000) })).toBe('too_new');
  }
});
