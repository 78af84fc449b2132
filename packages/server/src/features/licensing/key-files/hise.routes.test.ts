import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf } from '@tonerow/test-support/juce.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
const clock = new TestClock('2026-11-21T01:33:47Z');

const newKey = async (label: string, is_test = false) =>
  (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label, is_test } })).body
    .plaintext;
const serial = async () =>
  (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as { id: string; code: string };
/** As Server.callWithPOST sends it: a form, and a slash behind whatever the address is. */
const post = (
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { 'x-app-id': ada.id, 'x-app-key': key },
) =>
  call(server, 'POST', `/api/license/${path}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const person = { first_name: 'Nina', last_name: 'Simone', email: 'nina@example.com' };

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, { name: 'Drum Room' });
  key = await newKey('HISE plugin key');
});
afterAll(() => server.stop());

describe('HISE plugins', () => {
  it('activate, validate and deactivate with forms and headers', async () => {
    const { id, code } = await serial();
    const machine = { key: code, instance_id: 'L896D48A88' };
    const done = await post('activate/', { ...machine, ...person, device_label: 'Studio', plugin_version: '1.0.0' });
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ ok: true, status: 'active', max_activations: 3, remaining: 2 });
    expect(done.body.validation_token).toBeTruthy();
    expect(done.body.key_file).toBeUndefined();
    const [customer] = await server.db.query('select first_name, last_name from customers where email = $1', [
      person.email,
    ]);
    expect(customer).toEqual({ first_name: 'Nina', last_name: 'Simone' });

    const token = done.body.validation_token;
    const still = await post('validate', { ...machine, plugin_version: '1.0.0', token });
    expect(still.body).toEqual({ ok: true, status: 'active', max_activations: 3, remaining: 2 });
    clock.advance(20 * DAY);
    const fresh = await post('validate/', { ...machine, plugin_version: '1.0.0', token });
    expect(fresh.body.new_token).toMatch(/^ey.+\..+\..+$/);
    // a visit, or the developer's session would end
    await call(server, 'GET', '/api/auth/me', { token: ada.token });
    clock.advance(20 * DAY);
    const ended = await post('validate/', { ...machine, token });
    expect([ended.body.ok, ended.body.new_token]).toEqual([true, expect.any(String)]);
    expect((await post('validate', { ...machine, token: 'forged' })).body).toMatchObject({
      ok: false,
      status: 'invalid_token',
    });

    expect((await post('deactivate', machine)).body).toMatchObject({ ok: true, status: 'deactivated' });
    const gone = await post('validate', { ...machine, token });
    expect([gone.status, gone.body.ok, gone.body.status]).toEqual([409, false, 'not_activated']);
    expect(gone.body.error).toBeTruthy();
    expect(await server.db.query('select seats_used from serials where id = $1', [id])).toEqual([{ seats_used: 0 }]);
  });

  it('may send JSON, a wrong label, and their credentials in the query', async () => {
    const { code } = await serial();
    const body = JSON.stringify({ key: code, instance_id: 'L1', ...person });
    // HISE sends it like this: the slash lands in the last value
    const path = `/api/license/activate?app_id=${ada.id}&app_key=${key}/`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call(server, 'POST', path, { headers, body })).body).toMatchObject({ ok: true });
    const wrong = `/api/license/activate?app_id=${product.id}&app_key=${key}`;
    expect((await call(server, 'POST', wrong, { headers, body })).status).toBe(401);
    expect((await call(server, 'POST', '/api/license/activate', { headers, body })).body).toMatchObject({
      ok: false,
      status: 'unauthorized',
    });
    // nothing redirects, with and without the slash
    for (const verb of ['activate', 'validate', 'deactivate']) {
      for (const slash of ['', '/']) expect((await post(`${verb}${slash}`, {})).status).toBe(400);
    }
  });

  it('fill names in and never overwrite them', async () => {
    const { code } = await serial();
    const email = 'bare@example.com';
    await post('activate', { key: code, instance_id: 'L1', email });
    await post('activate', { key: code, instance_id: 'L1', email, first_name: 'Billie', last_name: '' });
    await post('activate', { key: code, instance_id: 'L1', email, first_name: 'Evil', last_name: 'Holiday' });
    const refused = await post('activate', { key: code, instance_id: 'L1', email: 'x@example.com', first_name: 'X' });
    expect(refused.body.status).toBe('email_mismatch');
    expect(
      await server.db.query("select first_name, last_name from customers where email in ($1, 'x@example.com')", [
        email,
      ]),
    ).toEqual([{ first_name: 'Billie', last_name: 'Holiday' }]);
  });

  it('get a key file once the product has a pair, named as HISE compares it', async () => {
    const publicKey = (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token }))
      .text;
    const { code } = await serial();
    const done = await post('activate', { key: code, instance_id: 'L1', plugin_version: '2.0.1', ...person });
    expect(done.body.key_file).toMatch(/^Keyfile for Drum Room 2\.0\.1\r\nUser: Nina Simone\r\n/);
    expect(done.body.key_file).toMatch(/^Machine numbers: L1\r$/m);
    expect(juceKeyOf(done.body.key_file, publicKey)).toMatchObject({
      app: 'Drum Room 2.0.1',
      user: 'Nina Simone',
      mach: 'L1',
    });
    // a project may have another name than the product
    const named = await post('activate', { key: code, instance_id: 'L1', app: 'DrumRoom', plugin_version: '2.0.1' });
    expect(juceKeyOf(named.body.key_file, publicKey)).toMatchObject({ app: 'DrumRoom 2.0.1', mach: 'L1' });
  });

  it('refuses a license of another product when the plugin names its own', async () => {
    const [mine, other] = [await makeProduct(server, ada.token), await makeProduct(server, ada.token)];
    const [serial] = await makeSerials(server, ada.token, mine.id);
    const body = { key: serial?.code as string, instance_id: 'P1', ...person };
    expect((await post('activate', { ...body, product_id: other.id })).body.status).toBe('product_mismatch');
    expect((await post('activate', { ...body, product_id: mine.id })).body.status).toBe('active');
    expect((await post('validate', { ...body, product_id: other.id })).body.status).toBe('product_mismatch');
  });

  it('accepts test serials', async () => {
    const machine = { instance_id: 'L1', ...person };
    for (const [code, status] of [
      ['TEST-EXPD-AAAA-BBBB', 'expired'],
      ['TEST-RVKD-AAAA-BBBB', 'revoked'],
      ['TEST-FULL-AAAA-BBBB', 'seat_limit'],
      ['TEST-ACTV-AAAA-BBBB', 'not_found'],
    ]) {
      expect((await post('activate', { key: code as string, ...machine })).body).toMatchObject({ ok: false, status });
      expect((await post('validate', { key: code as string, ...machine })).body).toMatchObject({ ok: false, status });
    }
    const test = { 'x-app-id': ada.id, 'x-app-key': await newKey('In development', true) };
    for (const [verb, status] of [
      ['activate', 'active'],
      ['validate', 'active'],
      ['deactivate', 'deactivated'],
    ]) {
      expect((await post(verb as string, { key: 'TEST-ACTV-AAAA-BBBB', ...machine }, test)).body).toMatchObject({
        ok: true,
        status,
      });
    }
    expect((await post('activate', { key: 'TEST-EXPD-AAAA-BBBB', ...machine }, {})).body.status).toBe('unauthorized');
  });
});
