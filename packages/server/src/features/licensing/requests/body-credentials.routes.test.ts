import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { juceReply } from '@tonerow/test-support/juce.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

/**
 * JUCE moves the query of a URL into the body that it posts, so whatever is allowed in the one is allowed in the other.
 */

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_LOG_LEVEL: 'trace' } });
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Prism' });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
afterAll(() => server.stop());

const code = async () => (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.code as string;
const email = 'jo@example.com';

/** As `URL::withParameter` and `createInputStream` send it: spaces as %20, everything in the body. */
const form = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
const send = (path: string, body: string, headers: Record<string, string> = {}) =>
  call(server, 'POST', `/api/license/${path}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  });

it('the stock form of JUCE unlocks with the pair in its body', async () => {
  const fields = { product: 'Prism', email, pw: await code(), os: 'Mac OSX 14.4', mach: 'M896D48A88' };
  const pair = { app_id: ada.id, app_key: key };
  for (const sent of [form({ ...pair, ...fields }), JSON.stringify({ ...fields, ...pair })]) {
    expect(juceReply((await send('juce/unlock', sent)).text)).toMatchObject({ tag: 'MESSAGE', error: undefined });
  }
  // half in each, and the slash that HISE appends
  const halves = await send(`juce/unlock?app_id=${ada.id}`, form({ ...fields, app_key: `${key}/` }));
  expect(juceReply(halves.text).tag).toBe('MESSAGE');
  const wrongs: Record<string, string>[] = [
    { app_key: key },
    { app_id: product.id, app_key: key },
    { app_id: ada.id, app_key: 'x' },
  ];
  for (const wrong of wrongs) {
    expect(juceReply((await send('juce/unlock', form({ ...fields, ...wrong }))).text).error).toMatch(/plugin key/);
  }
});

it('every route that takes the query takes the body', async () => {
  const license_key = await code();
  const machine = { license_key, machine_id: 'L1', email };
  const hise = { key: license_key, instance_id: 'L1', email };
  const calls: [string, Record<string, string>][] = [
    ['v1/keyfile', machine],
    ['v1/offline', { ...machine, machine_file: 'L1' }],
    ['activate/', hise],
    ['validate/', hise],
    ['deactivate/', hise],
  ];
  for (const [path, fields] of calls) {
    expect((await send(path, form({ ...fields, app_id: `${ada.id}`, app_key: `${key}/` }))).status, path).toBe(200);
    expect((await send(path, form(fields))).status, path).toBe(401);
  }
  // v1's own calls have headers
  const pair = { app_id: ada.id, app_key: key };
  expect((await send('v1/validate', form({ ...machine, ...pair }))).status).toBe(401);
});

it('answers are signed for who sends them there, refusals of broken requests too', async () => {
  const pair = { app_id: ada.id, app_key: key };
  for (const fields of [
    { key: 'AAAA', instance_id: 'L1' },
    { key: 'AAAA', instance_id: 'a,b' },
  ]) {
    const answer = await send('validate', form({ ...fields, ...pair }), { 'x-tonerow-nonce': 'nonce-of-eight' });
    expect(answer.body.ok).toBe(false);
    expect(answer.headers.get('x-tonerow-signature')).toMatch(/^ed25519=/);
  }
});

it('they are in no line of the log, whatever goes wrong', async () => {
  const pair = { app_id: 'a-developer-in-a-body', app_key: key };
  await send('juce/unlock', form({ ...pair, product: 'Prism', pw: 'A-VERY-SECRET-CODE', mach: 'L1', email }));
  await send('activate', `{"app_key": "${key}", "key": `);
  await send('activate', JSON.stringify({ ...pair, key: 7, instance_id: {} }));
  await send('v1/keyfile', form({ ...pair, license_key: 'x'.repeat(2_000_000) }));
  const logged = server.logged();
  expect(logged).toContain('/api/license/juce/unlock');
  for (const secret of [key, 'a-developer-in-a-body', 'A-VERY-SECRET-CODE']) expect(logged).not.toContain(secret);
});
