import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
let serial: { id: string; code: string };
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
  [serial] = (await makeSerials(server, ada.token, product.id)) as [typeof serial];
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});

const body = () => ({ license_key: serial.code, machine_id: 'LAAA', email: 'jo@example.com' });
const keyFile = (headers: Record<string, string>, more: object = {}) =>
  call(server, 'POST', '/api/license/v1/keyfile', { headers, body: { ...body(), ...more } });

it('gives no key file to a key that comes with another developer’s app id', async () => {
  const stranger = await signUp(server);
  const refused = await keyFile({ 'x-app-id': stranger.id, 'x-app-key': key });
  expect([refused.status, refused.body.status]).toEqual([401, 'unauthorized']);
  expect((await keyFile({ 'x-app-id': ada.id, 'x-app-key': key })).text).toContain('#');
  const body = { is_test: true };
  const test = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body })).body.plaintext;
  const tested = (id: string) =>
    keyFile({ 'x-app-id': id, 'x-app-key': test }, { license_key: 'TEST-ACTV-2345-6789', app: product.name });
  expect((await tested(stranger.id)).body.status).toBe('unauthorized');
  expect((await tested(ada.id)).text).toContain('#');
});

it('gives no file to a machine whose seat is freed while the file is being made', async () => {
  await call(server, 'POST', '/api/license/v1/activate', { token: key, body: body() });
  const releasing = await lockWith(server.db, 'update activations set released_at = now() where serial_id = $1', [
    serial.id,
  ]);
  const leased = keyFile({ authorization: `Bearer ${key}` }, { lease_days: 7 });
  await releasing.untilWaiting(1);
  await releasing.release('commit');
  expect((await leased).body).toMatchObject({ ok: false, status: 'not_activated' });
});
