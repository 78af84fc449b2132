import { call, makeProduct, makeSerials, PASSWORD, type Person, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string };
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { trial_days: 14, offline_days: 4, on_loss: 'mute' });
  key = await pluginKey(ada);
});
afterAll(() => server.stop());

async function pluginKey(person: Person): Promise<string> {
  return (await call(server, 'POST', '/api/developer/plugin-keys', { token: person.token, body: {} })).body.plaintext;
}
const ask = (verb: string, body: object, token = key) =>
  call(server, 'POST', `/api/license/v1/${verb}`, { token, body });
const start = (machine_id: string, product_id = product.id, token = key) =>
  ask('trial', { product_id, machine_id, version: '1.0' }, token);
const validate = (machine_id: string, validation_token: string, product_id = product.id, token = key) =>
  ask('validate', { product_id, machine_id, validation_token }, token);
const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const refusal = (answer: { status: number; body: { status: string } }) => [answer.status, answer.body.status];

it('a trial is started once per machine and product, and ends', async () => {
  const began = clock.now();
  const ends = new Date(began.getTime() + 14 * DAY).toISOString();
  const answers = await Promise.all(Array.from({ length: 8 }, () => start('mac')));
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, status: 'trial', trial_ends_at: ends });
  }
  expect(await server.db.query('select 1 from trials')).toHaveLength(1);
  expect(claims(answers[0]?.body.validation_token)).toMatchObject({
    aud: product.id,
    trial: true,
    loss: 'mute',
    exp: began.getTime() / 1000 + 4 * 86_400,
    lic: began.getTime() / 1000 + 14 * 86_400,
  });
  clock.advance(12 * DAY);
  const later = (await start('mac')).body;
  expect(later.trial_ends_at).toBe(ends);
  expect(claims(later.validation_token).exp).toBe(began.getTime() / 1000 + 14 * 86_400);
  clock.advance(2 * DAY);
  expect(refusal(await start('mac'))).toEqual([403, 'trial_expired']);
  expect(refusal(await validate('mac', later.validation_token))).toEqual([403, 'trial_expired']);
  expect((await start('other')).body.status).toBe('trial');
  expect(await server.db.query('select 1 from redemptions')).toHaveLength(0);
});

it('its token is validated without a license key, and renewed when half of its lifetime is over', async () => {
  const first = (await start('win')).body.validation_token as string;
  const good = await validate('win', first);
  expect(good.body).toEqual({ ok: true, status: 'trial', trial_ends_at: expect.any(String) });
  clock.advance(3 * DAY);
  const renewed = (await validate('win', first)).body.validation_token as string;
  expect(renewed).not.toBe(first);
  expect((await validate('win', renewed.toString(), product.id.toUpperCase())).body.ok).toBe(true);
  // offline for longer than a token is valid; the trial continues
  clock.advance(6 * DAY);
  expect((await validate('win', first)).body).toMatchObject({ ok: true, validation_token: expect.any(String) });
});

it('its token is good for nothing else', async () => {
  const token = (await start('linux')).body.validation_token as string;
  const other = await makeProduct(server, ada.token, { trial_days: 5 });
  await start('linux', other.id);
  expect(refusal(await validate('linux', token, other.id))).toEqual([403, 'invalid_token']);
  expect(refusal(await validate('nobody', token))).toEqual([409, 'not_activated']);
  await start('somebody');
  expect(refusal(await validate('somebody', token))).toEqual([403, 'invalid_token']);
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const license = { license_key: serial?.code, machine_id: 'linux' };
  const active = await ask('activate', { ...license, email: 'nina@example.com' });
  expect(refusal(await ask('validate', { ...license, validation_token: token }))).toEqual([403, 'invalid_token']);
  expect(refusal(await validate('linux', active.body.validation_token))).toEqual([403, 'invalid_token']);
  expect(refusal(await ask('validate', { machine_id: 'linux' }))).toEqual([400, 'invalid_request']);
  expect(refusal(await ask('validate', { machine_id: 'linux', product_id: 'x', validation_token: token }))).toEqual([
    400,
    'invalid_request',
  ]);
});

it('needs a product of this developer that has trials', async () => {
  const none = await makeProduct(server, ada.token);
  const draft = await makeProduct(server, ada.token, { trial_days: 5, is_draft: true });
  const bea = await signUp(server);
  expect(refusal(await start('mac', none.id))).toEqual([404, 'no_trial']);
  expect(refusal(await start('mac', draft.id))).toEqual([404, 'not_found']);
  expect(refusal(await start('mac', product.id, await pluginKey(bea)))).toEqual([404, 'not_found']);
  expect(refusal(await start('mac', ada.id))).toEqual([404, 'not_found']);
  expect(refusal(await start('mac', 'x'))).toEqual([400, 'invalid_request']);
  expect(refusal(await start('mac', product.id, 'x'))).toEqual([401, 'unauthorized']);
});

it('continues after its developer closes the account, while no new trial starts', async () => {
  const gone = await signUp(server);
  const { id } = await makeProduct(server, gone.token, { trial_days: 14 });
  const theirs = await pluginKey(gone);
  const token = (await start('mac', id, theirs)).body.validation_token as string;
  const body = { password: PASSWORD };
  expect((await call(server, 'DELETE', '/api/account/delete', { token: gone.token, body })).status).toBe(200);
  expect((await validate('mac', token, id, theirs)).body).toMatchObject({ ok: true, status: 'trial' });
  expect((await start('mac', id, theirs)).body).toMatchObject({ ok: true, status: 'trial' });
  expect(refusal(await start('another', id, theirs))).toEqual([404, 'no_trial']);
});
