import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { juceKeyOf } from '@tonerow/test-support/juce.ts';
import {
  type SharedServer,
  sharedServer,
  startServer,
  TEST_SECRET,
  type TestServer,
} from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let limited: TestServer;
let ada: Person;
let key: string;
let codes: string[];

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  codes = (await makeSerials(server, ada.token, product.id, { quantity: 3 })).map(({ code }) => code as string);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  const env = { TONEROW_RATE_LIMITS: 'on', TONEROW_TRUST_PROXY: '127.0.0.1', TONEROW_SECRET: TEST_SECRET };
  limited = await startServer({ db: server.db, env });
});
afterAll(async () => {
  await limited.stop();
});

const ask = (address: string, verb: string, license_key: string, path = 'v1/') =>
  call(limited, 'POST', `/api/license/${path}${verb}`, {
    token: key,
    headers: { 'x-forwarded-for': address },
    body: { license_key, key: license_key, machine_id: 'm', instance_id: 'm', email: 'nina@example.com' },
  });
const guess = (number: number) => `GUES-${String(number).padStart(4, '0')}-AAAA-AAAA`;

it('lets a thousand guesses from fifty addresses learn nothing, and locks nobody out', async () => {
  const [owned, unsold, other] = codes as [string, string, string];
  const studio = '10.9.0.1';
  expect((await ask(studio, 'activate', owned)).body.ok).toBe(true);

  const seen = new Map<string, number>();
  for (let round = 0; round < 11; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const number = round * 100 + index;
        return insist(() => ask(`10.1.0.${number % 50}`, 'activate', guess(number)));
      }),
    );
    for (const { status, body } of answers)
      seen.set(`${status} ${body.status}`, (seen.get(`${status} ${body.status}`) ?? 0) + 1);
  }
  // twenty for each of fifty addresses
  expect(Object.fromEntries(seen)).toEqual({ '404 not_found': 1000, '429 rate_limited': 100 });

  const [right, wrong] = [await ask('10.1.0.7', 'activate', unsold), await ask('10.1.0.7', 'activate', guess(1))];
  expect([right.status, right.body.status]).toEqual([429, 'rate_limited']);
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
  expect({ ...right.body, error: '' }).toEqual({ ...wrong.body, error: '' });
  // validate refuses with the same words whatever the reason is
  for (const code of [unsold, guess(2)]) {
    expect((await ask('10.1.0.7', 'validate', code)).body.status).toBe('rate_limited');
    expect((await ask('10.1.0.7', 'validate', code, '')).body.status).toBe('rate_limited');
  }
  const sold = await server.db.query(`select 1 from serials where code = '${unsold}' and redeemed_at is not null`);
  expect(sold).toHaveLength(0);

  // a machine that has a seat keeps working, even from that address, and everybody else can redeem
  expect((await ask('10.1.0.7', 'validate', owned)).body.ok).toBe(true);
  expect((await ask('10.2.0.1', 'activate', other)).body.ok).toBe(true);
});

it('an IPv6 network is one address', async () => {
  for (let number = 0; number < 20; number += 1) {
    expect((await ask(`2001:db8:1:2::${number.toString(16)}`, 'activate', guess(number))).status).toBe(404);
  }
  expect((await ask('2001:db8:1:2:ffff::1', 'activate', guess(1))).status).toBe(429);
  expect((await ask('2001:db8:1:3::1', 'activate', guess(1))).status).toBe(404);
});

describe('while someone is guessing', () => {
  const address = '10.3.0.1';
  const email = 'nina@example.com';
  let product: { id: string; name: string };
  let publicKey: string;

  const send = (path: string, body: object, from = address) =>
    call(limited, 'POST', `/api/license/${path}`, { token: key, headers: { 'x-forwarded-for': from }, body });
  const serial = async () =>
    (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as { id: string; code: string };

  beforeAll(async () => {
    product = await makeProduct(server, ada.token, { name: 'Prism', trial_days: 5 });
    publicKey = (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token })).text;
    await send('v1/trial', { product_id: product.id, machine_id: 'STUDIO' });
    for (let number = 0; number <= 20; number += 1) await ask(address, 'activate', guess(number));
    expect((await ask(address, 'activate', guess(99))).status).toBe(429);
  });

  /** Every route that looks up a license. */
  const routes: [
    string,
    (code: string, machine: string, token?: string) => Promise<{ status: number; text: string }>,
  ][] = [
    ['v1/activate', (license_key, machine_id) => send('v1/activate', { license_key, machine_id, email })],
    ['v1/validate', (license_key, machine_id) => send('v1/validate', { license_key, machine_id })],
    [
      'v1/transfer',
      (license_key, old_machine_id, validation_token) =>
        send('v1/transfer', { license_key, old_machine_id, machine_id: `${old_machine_id}-2`, validation_token }),
    ],
    ['v1/keyfile', (license_key, machine_id) => send('v1/keyfile', { license_key, machine_id, email })],
    ['v1/offline', (license_key, machine_file) => send('v1/offline', { license_key, machine_file, email })],
    ['juce/unlock', (pw, mach) => send('juce/unlock', { pw, mach, email, product: 'Prism' })],
    ['activate', (code, instance_id) => send('activate', { key: code, instance_id, email })],
    ['validate', (code, instance_id) => send('validate', { key: code, instance_id })],
    ['deactivate', (code, instance_id) => send('deactivate', { key: code, instance_id })],
    ['v1/deactivate', (license_key, machine_id) => send('v1/deactivate', { license_key, machine_id })],
  ];

  it.each(routes)('a machine that has its seat is answered as usual on %s, and no other one', async (_route, at) => {
    const { id, code } = await serial();
    const unsold = await serial();
    const activated = await send('v1/activate', { license_key: code, machine_id: 'STUDIO', email }, '10.4.0.1');
    const refused = [
      await at(unsold.code, 'STUDIO', activated.body.validation_token),
      await at(guess(1), 'STUDIO', activated.body.validation_token),
      await at(code, 'ELSEWHERE', activated.body.validation_token),
    ];
    // the same words for what exists and what does not, with the limit that was hit
    expect(new Set(refused.map(({ text }) => text.replace(/\d+ s/, 'N s'))).size).toBe(1);
    for (const answer of refused) {
      expect(answer.status).toBe(429);
      const { headers } = answer as unknown as { headers: Headers };
      expect(headers.get('ratelimit')).toMatch(/^"license_guess";r=0;t=\d+$/);
      expect(headers.get('ratelimit-policy')).toBe('"license_guess";q=20;w=600');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await server.db.query('select 1 from redemptions where serial_id = $1', [unsold.id])).toEqual([]);
    expect(await server.db.query('select machine_id from activations where serial_id = $1', [id])).toEqual([
      { machine_id: 'STUDIO' },
    ]);

    const answer = await at(code, 'STUDIO', activated.body.validation_token);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).not.toContain('ERROR');
  });

  it('shows a machine why its license ended, and recognizes a machine by its old id', async () => {
    const { id, code } = await serial();
    await send('v1/activate', { license_key: code, machine_id: 'OLD', email }, '10.4.0.1');
    const moved = { license_key: code, machine_id: 'NEW', old_machine_ids: ['OLD'], email };
    const file = await send('v1/keyfile', moved);
    expect(juceKeyOf(file.text, publicKey).mach).toBe('NEW');
    await call(server, 'PATCH', `/api/serials/revoke/${id}`, { token: ada.token });
    for (const verb of ['activate', 'validate']) {
      expect((await send(`v1/${verb}`, { license_key: code, machine_id: 'NEW' })).body.status).toBe('revoked');
      expect((await send(`v1/${verb}`, { license_key: code, machine_id: 'OTHER' })).body.status).toBe('rate_limited');
    }
  });

  it('lets a running trial continue, but starts none', async () => {
    const started = await send('v1/trial', { product_id: product.id, machine_id: 'STUDIO' });
    expect(started.body.status).toBe('trial');
    const { validation_token } = started.body;
    const question = { product_id: product.id, machine_id: 'STUDIO', validation_token };
    expect((await send('v1/validate', question)).body.status).toBe('trial');
    expect((await send('v1/trial', { product_id: product.id, machine_id: 'NEW' })).body.status).toBe('rate_limited');
  });
});

it('lets an address begin sixty trials a day, and go on with each, while others begin theirs', async () => {
  const product = await makeProduct(server, ada.token, { trial_days: 7 });
  const begin = (address: string, machine_id: string) =>
    call(limited, 'POST', '/api/license/v1/trial', {
      token: key,
      headers: { 'x-forwarded-for': address },
      body: { product_id: product.id, machine_id },
    });
  const answers = await Promise.all(
    Array.from({ length: 65 }, (_, index) => insist(() => begin('10.4.0.1', `invented-${index}`))),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ body }) => body.status === 'trial')).toHaveLength(60);
  expect(refused.map(({ body }) => [body.ok, body.status])).toEqual(refused.map(() => [false, 'rate_limited']));
  const known = answers.findIndex(({ body }) => body.ok);
  expect((await begin('10.4.0.1', `invented-${known}`)).body.status).toBe('trial');
  expect((await begin('10.4.0.2', 'real')).body.status).toBe('trial');
});
