import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PluginKeys } from '../../plugin-keys/plugin-keys.service.ts';

let server: SharedServer;
let key: string;
let product: { id: string; name: string };
let codes: string[];

const find = vi.spyOn(PluginKeys.prototype, 'find');
afterAll(() => find.mockRestore());
const email = 'nina@example.com';
const signed = { 'x-tonerow-sign': '1' };
const send = async (path: string, body: object | null, token: string) => {
  find.mockClear();
  const options = { token, headers: signed, ...(body ? { body } : {}) };
  return call(server, body ? 'POST' : 'GET', `/api/license/${path}`, options);
};

beforeAll(async () => {
  server = await sharedServer();
  const ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, { name: 'Prism', trial_days: 5 });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  codes = (await makeSerials(server, ada.token, product.id, { quantity: 8 })).map(({ code }) => code);
  await call(server, 'GET', `/api/products/${product.id}/rsa`, { token: ada.token });
});

const machine_file = 'L1';
const calls: [string, () => object | null][] = [
  ['v1/activate', () => ({ license_key: codes[0], machine_id: 'L1', email })],
  ['v1/validate', () => ({ license_key: codes[0], machine_id: 'L1' })],
  ['v1/deactivate', () => ({ license_key: codes[0], machine_id: 'L1' })],
  ['v1/trial', () => ({ product_id: product.id, machine_id: 'L1' })],
  ['v1/time', () => null],
  ['v1/keyfile', () => ({ license_key: codes[1], machine_ids: ['L1', 'L2'], app: 'Prism', email })],
  ['v1/offline', () => ({ license_key: codes[2], machine_file, email })],
  ['juce/unlock', () => ({ license_key: codes[3], mach: 'L1', product: 'Prism', email })],
  ['activate', () => ({ key: codes[4], instance_id: 'L1', product_id: product.id, email, first_name: 'Nina' })],
];

describe('the credential of a plugin', () => {
  it.each(calls)('looks the caller up once for a call of %s with a signed response', async (path, body) => {
    const answer = await send(path, body(), key);
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining('ERROR')]);
    expect(answer.headers.get('x-tonerow-signature')).not.toBeNull();
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('is looked up once by a call that is refused', async () => {
    const answer = await send('v1/validate', { license_key: codes[7], machine_id: 'L9' }, key);
    expect(answer.body.status).toBe('not_activated');
    expect(answer.headers.get('x-tonerow-signature')).not.toBeNull();
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('refuses who has none, before anything else is looked at', async () => {
    const answer = await send('v1/validate', { license_key: codes[0], machine_id: 'L1' }, 'tnr_plg_nobody');
    expect([answer.status, answer.body.status]).toEqual([401, 'unauthorized']);
    expect(answer.headers.get('x-tonerow-signature')).toBeNull();
    expect(find).toHaveBeenCalledTimes(1);
  });
});
