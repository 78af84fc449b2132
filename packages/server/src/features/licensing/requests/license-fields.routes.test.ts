import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { juceReply } from '@tonerow/test-support/juce.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

/** Musicians always get a readable sentence, and optional details never cause a refusal, whatever a field contains. */

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string };
let code: string;
let token: string;

const MACHINE = 'L896D48A88';
const email = 'nina@example.com';
const send = (path: string, body: unknown) =>
  call(server, 'POST', `/api/license/${path}`, { token: key, body: JSON.stringify(body) });

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Prism', trial_days: 5 });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  code = (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.code as string;
  await call(server, 'GET', `/api/products/${product.id}/rsa`, { token: ada.token });
  token = (await send('v1/activate', { license_key: code, machine_id: MACHINE, email })).body.validation_token;
});

const hostile: unknown[] = [
  7,
  -1.5e300,
  true,
  {},
  { a: { b: [] } },
  [],
  [[]],
  [null],
  null,
  '',
  ' \t ',
  'x'.repeat(300),
  'x'.repeat(20_000),
  'a\u0000b',
  'half \ud83c a pair',
  '\u200b\u202e',
  'a\nb',
  '<script>',
];
/** Typical phrases of validators. */
const RAW =
  /expected|received|invalid (?:input|option|string)|too (?:big|small)|must match|NaN|undefined|\bnull\b|_[a-z]+:/i;
const SENTENCE = /^[\p{Lu}a-z].*\.$/su;

function expectSentence(text: string, what: string) {
  expect(text, what).not.toMatch(RAW);
  expect(text, what).toMatch(SENTENCE);
}

const calls: [string, () => Record<string, unknown>, readonly string[]][] = [
  [
    'v1/activate',
    () => ({ license_key: code, machine_id: MACHINE, product_id: product.id, email, old_machine_ids: [] }),
    ['version', 'label', 'os', 'old_machine_ids'],
  ],
  [
    'v1/validate',
    () => ({ license_key: code, machine_id: MACHINE, product_id: product.id, validation_token: token }),
    ['version'],
  ],
  ['v1/deactivate', () => ({ license_key: code, machine_id: 'nobody' }), []],
  [
    'v1/transfer',
    () => ({
      license_key: code,
      old_machine_id: 'nobody',
      machine_id: 'somebody',
      validation_token: token,
      product_id: product.id,
    }),
    [],
  ],
  ['v1/trial', () => ({ product_id: product.id, machine_id: MACHINE }), ['version']],
  [
    'v1/keyfile',
    () => ({ license_key: code, machine_id: MACHINE, product_id: product.id, email, app: 'Prism', lease_days: 30 }),
    ['version', 'old_machine_ids'],
  ],
  ['v1/offline', () => ({ license_key: code, machine_file: MACHINE, email, app: 'Prism' }), ['version']],
  [
    'activate',
    () => ({ key: code, instance_id: MACHINE, product_id: product.id, email }),
    ['device_label', 'plugin_version', 'first_name', 'last_name', 'app', 'old_instance_ids'],
  ],
  ['validate', () => ({ key: code, instance_id: MACHINE, product_id: product.id, token }), ['plugin_version']],
  ['deactivate', () => ({ key: code, instance_id: 'nobody' }), []],
];

describe.each(calls)('%s', (path, body, notes) => {
  it('explains an invalid field in a sentence', async () => {
    for (const field of Object.keys(body())) {
      for (const value of [undefined, ...hostile]) {
        const answer = await send(path, { ...body(), [field]: value });
        const what = `${field} = ${JSON.stringify(value)?.slice(0, 40)}: ${answer.text.slice(0, 200)}`;
        expect(answer.status, what).toBeLessThan(500);
        if (answer.status !== 200) expectSentence(answer.body.error, what);
      }
    }
  });

  it('accepts any value for details about the machine, plugin and owner', async () => {
    const usual = (await send(path, body())).status;
    for (const field of notes) {
      for (const value of hostile) {
        const { status, text } = await send(path, { ...body(), [field]: value });
        expect(status, `${field} = ${JSON.stringify(value).slice(0, 40)}: ${text.slice(0, 200)}`).toBe(usual);
      }
    }
  });

  it('explains that a body is missing', async () => {
    for (const text of ['', '[]', 'null', '{"a":', 'x=%ZZ&y', '\u0000', '{}', '{"__proto__":{"license_key":"x"}}']) {
      const answer = await call(server, 'POST', `/api/license/${path}`, { token: key, body: text });
      expect([answer.status, answer.body.status], text).toEqual([400, 'invalid_request']);
      expectSentence(answer.body.error, `${text}: ${answer.body.error}`);
    }
  });
});

it('sends the message in JUCE’s XML format', async () => {
  const body = () => ({ product: 'Prism', email, pw: code, os: 'Linux', mach: MACHINE });
  for (const field of Object.keys(body())) {
    for (const value of [undefined, ...hostile]) {
      const answer = await send('juce/unlock', { ...body(), [field]: value });
      const reply = juceReply(answer.text);
      const what = `${field} = ${JSON.stringify(value)?.slice(0, 40)}: ${reply.error}`;
      expect(answer.status, what).toBe(200);
      if (reply.tag === 'ERROR') expectSentence(reply.error as string, what);
      if (field === 'os') expect(reply.key, what).toBeTruthy();
    }
  }
});

it('queries are refused in sentences too', async () => {
  for (const path of ['v1/jwks', 'v1/jwks?dev=x', 'v1/jwks?dev=', 'v1/jwks?dev=a&dev=b', 'v1/time?product_id=x']) {
    const answer = await call(server, 'GET', `/api/license/${path}`, { token: key });
    expect([answer.status, answer.body.status], path).toEqual([400, 'invalid_request']);
    expectSentence(answer.body.error, `${path}: ${answer.body.error}`);
  }
});

it('ignores invisible characters in codes, and compares product ids case-insensitively', async () => {
  const license_key = `\u200b${code.toLowerCase().replaceAll('-', '\u00ad\u2011')}\ufeff\u2060`;
  const product_id = ` ${product.id.toUpperCase()} `;
  for (const verb of ['activate', 'validate']) {
    const answer = await send(`v1/${verb}`, { license_key, machine_id: MACHINE, product_id });
    expect(answer.body, answer.text).toMatchObject({ ok: true, status: 'active' });
  }
  const unlock = { product: 'Prism', email, pw: license_key, mach: MACHINE };
  expect(juceReply((await send('juce/unlock', unlock)).text).key).toBeTruthy();
  expect((await send('activate', { key: license_key, instance_id: MACHINE, product_id })).body.ok).toBe(true);
});
