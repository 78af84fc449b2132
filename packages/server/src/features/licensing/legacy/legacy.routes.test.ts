import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineOf } from './legacy-form.ts';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await startServer();
  ada = await signUp(server);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  product = await makeProduct(server, ada.token, { max_activations: 2 });
});
afterAll(() => server.stop());

/** A serial with its owner. */
async function owned(): Promise<{ id: string; code: string }> {
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await redeem(server, serial?.code as string, `nina-${randomUUID()}@example.com`, ada.id);
  return serial as { id: string; code: string };
}
const seatsOf = async (serial: { id: string }) =>
  (await server.db.query<{ seats_used: number }>('select seats_used from serials where id = $1', [serial.id]))[0]
    ?.seats_used;
const revoke = (serial: { id: string }) =>
  server.db.query('update serials set revoked_at = now() where id = $1', [serial.id]);
const woo = (action: string, code: string, query = '', by = key) =>
  call(
    server,
    'GET',
    `/legacy/${by}/wp-json/lmfwc/v2/licenses/${action}/${code}?consumer_key=ck&consumer_secret=cs${query}`,
  );
const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const root = (fields: Record<string, string>, by = key) => call(server, 'GET', `/legacy/${by}/?${query(fields)}`);
const posted = (fields: Record<string, string>) =>
  call(server, 'POST', `/legacy/${key}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query(fields),
  });

describe('License Manager for WooCommerce', () => {
  it('gives each activation a token, which is validated and deactivated by it', async () => {
    const serial = await owned();
    const first = await woo('activate', serial.code, '&label=Studio%20Mac');
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        data: {
          id: null,
          orderId: null,
          productId: null,
          userId: null,
          licenseKey: serial.code,
          expiresAt: null,
          validFor: null,
          source: 1,
          status: 3,
          timesActivated: 1,
          timesActivatedMax: 2,
          remainingActivations: 1,
          createdAt: null,
          createdBy: null,
          updatedAt: null,
          updatedBy: null,
          activationData: {
            id: null,
            license_id: null,
            token: expect.stringMatching(/^[0-9a-f]{40}$/),
            label: 'Studio Mac',
            source: 2,
            ip_address: null,
            user_agent: null,
            meta_data: null,
            created_at: null,
            updated_at: null,
            deactivated_at: null,
          },
        },
      },
    ]);
    const { token } = first.body.data.activationData;
    // the same activation again is no second seat
    expect((await woo('activate', serial.code, `&token=${token}`)).body.data.timesActivated).toBe(1);
    expect((await woo('activate', serial.code)).body.data.timesActivated).toBe(2);
    const full = await woo('activate', serial.code);
    expect([full.status, full.body.code]).toEqual([404, 'lmfwc_rest_data_error']);
    const valid = await woo('validate', serial.code, `&token=${token}`);
    expect(valid.body).toMatchObject({ success: true, data: { timesActivated: 2, activationData: [{ token }] } });
    // without a token it shows how the license is, and nobody’s tokens
    expect((await woo('validate', serial.code)).body).toMatchObject({
      success: true,
      data: { timesActivated: 2, timesActivatedMax: 2, activationData: [] },
    });
    expect((await woo('deactivate', serial.code)).status).toBe(404);
    const freed = await woo('deactivate', serial.code, `&token=${token}`);
    expect(freed.body).toMatchObject({
      success: true,
      data: {
        timesActivated: 1,
        activationData: { token, deactivated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) },
      },
    });
    const named = await server.db.query('select 1 from activations where serial_id = $1 and label = $2', [
      serial.id,
      'Studio Mac',
    ]);
    expect(named).toHaveLength(1);
    expect((await woo('validate', serial.code, `&token=${token}`)).status).toBe(404);
    expect(await seatsOf(serial)).toBe(1);
  });

  it('refuses what does not exist, what is revoked, and a plugin key that is none', async () => {
    const serial = await owned();
    const missing = await woo('validate', 'NONE-NONE-NONE-NONE');
    expect([missing.status, missing.body.data]).toMatchObject([404, { status: 404 }]);
    await revoke(serial);
    expect((await woo('validate', serial.code)).status).toBe(404);
    expect((await woo('activate', serial.code)).status).toBe(404);
    expect((await woo('activate', serial.code, '', 'tnr_plg_nobody')).status).toBe(401);
  });
});

describe('EDD Software Licensing', () => {
  it('activates, checks and deactivates an address, in a form or in the query', async () => {
    const serial = await owned();
    const about = { license: serial.code, item_name: product.name, url: 'https://www.Studio.example/' };
    const check = (url?: string) =>
      root({ edd_action: 'check_license', license: serial.code, item_name: product.name, ...(url ? { url } : {}) });
    expect((await check()).body).toMatchObject({ success: true, license: 'inactive', activations_left: 2 });
    expect((await check(about.url)).body).toMatchObject({ success: true, license: 'inactive' });
    const done = await posted({ edd_action: 'activate_license', ...about });
    expect([done.status, done.body]).toEqual([
      200,
      {
        success: true,
        license: 'valid',
        item_id: false,
        item_name: product.name,
        license_limit: 2,
        site_count: 1,
        expires: 'lifetime',
        activations_left: 1,
        customer_name: '',
        customer_email: '',
      },
    ]);
    // one address, however it is spelled
    for (const url of [about.url, 'http://studio.example', 'https://studio.example/'])
      expect((await check(url)).body.license).toBe('valid');
    expect(
      (await root({ edd_action: 'activate_license', ...about, url: 'http://studio.example' })).body.site_count,
    ).toBe(1);
    expect((await root({ edd_action: 'activate_license', ...about, url: 'My Studio, 2' })).body.site_count).toBe(2);
    expect((await root({ edd_action: 'activate_license', ...about, url: 'third' })).body).toMatchObject({
      success: false,
      license: 'invalid',
      error: 'no_activations_left',
    });
    const freed = await posted({ edd_action: 'deactivate_license', ...about });
    expect(freed.body).toMatchObject({ success: true, license: 'deactivated', site_count: 1 });
    expect((await posted({ edd_action: 'deactivate_license', ...about })).body).toMatchObject({
      success: false,
      license: 'failed',
    });
  });

  it('names what is wrong in its words', async () => {
    const serial = await owned();
    const activate = { edd_action: 'activate_license', license: serial.code, url: 'studio' };
    const errorOf = async (fields: Record<string, string>) => (await root(fields)).body.error;
    expect(await errorOf({ ...activate, license: 'NONE-NONE-NONE-NONE' })).toBe('missing');
    expect(await errorOf({ ...activate, url: '' })).toBe('missing_url');
    expect(await errorOf({ ...activate, item_name: 'Another plugin' })).toBe('item_name_mismatch');
    expect(await errorOf({ ...activate, product_id: randomUUID() })).toBe('item_name_mismatch');
    await revoke(serial);
    expect(await errorOf(activate)).toBe('disabled');
    const check = { edd_action: 'check_license', license: serial.code };
    expect((await root(check)).body).toMatchObject({ success: true, license: 'disabled' });
    expect((await root({ ...check, license: 'NONE-NONE-NONE-NONE' })).body).toMatchObject({
      success: false,
      license: 'invalid',
    });
    const stranger = await root(check, 'tnr_plg_nobody');
    // not a word about a license: a plugin must not lock because its key was changed
    expect([stranger.status, stranger.body.license]).toEqual([401, undefined]);
  });
});

describe('Software License Manager', () => {
  it('activates, checks and deactivates a domain', async () => {
    const serial = await owned();
    const about = { license_key: serial.code, registered_domain: 'studio.example', secret_key: 'anything' };
    expect((await root({ slm_action: 'slm_check', ...about })).body).toMatchObject({
      result: 'success',
      status: 'pending',
      registered_domains: [],
    });
    expect((await root({ slm_action: 'slm_activate', ...about })).body).toEqual({
      result: 'success',
      message: 'License key activated',
    });
    expect((await posted({ slm_action: 'slm_check', ...about })).body).toMatchObject({
      result: 'success',
      status: 'active',
      max_allowed_domains: '2',
      registered_domains: [{ lic_key: serial.code, registered_domain: 'studio.example' }],
    });
    // another domain is not told who else has a seat
    expect((await root({ slm_action: 'slm_check', ...about, registered_domain: 'x' })).body).toMatchObject({
      status: 'active',
      registered_domains: [],
    });
    await root({ slm_action: 'slm_activate', ...about, registered_domain: 'second' });
    const full = await root({ slm_action: 'slm_activate', ...about, registered_domain: 'third' });
    expect([full.status, full.body]).toEqual([200, { result: 'error', message: expect.any(String), error_code: 50 }]);
    expect((await root({ slm_action: 'slm_deactivate', ...about })).body.result).toBe('success');
    expect((await root({ slm_action: 'slm_deactivate', ...about })).body).toMatchObject({ error_code: 80 });
    await revoke(serial);
    expect((await root({ slm_action: 'slm_check', ...about })).body).toMatchObject({ status: 'blocked' });
    expect((await root({ slm_action: 'slm_activate', ...about })).body).toMatchObject({ error_code: 20 });
    const missing = await root({ slm_action: 'slm_check', license_key: 'NONE-NONE-NONE-NONE' });
    expect(missing.body).toMatchObject({ result: 'error', error_code: 60 });
  });

  it('has its words and its fields, also of a license that is blocked', async () => {
    const serial = await owned();
    const about = { license_key: serial.code, registered_domain: 'studio.example' };
    const slm = async (action: string, fields: Record<string, string> = about) =>
      (await root({ slm_action: `slm_${action}`, ...fields })).body;
    await slm('activate');
    expect(await slm('check')).toEqual({
      result: 'success',
      message: 'License key details retrieved.',
      license_key: serial.code,
      status: 'active',
      max_allowed_domains: '2',
      date_created: '',
      date_renewed: '',
      date_expiry: '0000-00-00',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      product_ref: '',
      first_name: '',
      last_name: '',
      company_name: '',
      email: '',
      txn_id: '',
      subscr_id: '',
      registered_domains: [
        { id: '', lic_key_id: '', lic_key: serial.code, registered_domain: 'studio.example', item_reference: '' },
      ],
    });
    await slm('deactivate');
    expect((await slm('deactivate')).message).toBe('The license key on this domain is already inactive');
    for (const registered_domain of ['a', 'b', 'c']) await slm('activate', { ...about, registered_domain });
    expect((await slm('activate')).message).toBe('Reached maximum allowable domains');
    await revoke(serial);
    expect((await slm('activate')).message).toBe('Your License key is blocked');
    expect(await slm('check')).toMatchObject({ status: 'blocked', max_allowed_domains: '2' });
    expect((await slm('check', { license_key: 'NONE-NONE-NONE-NONE' })).message).toBe('Invalid license key');
  });

  it('moves the seat of a domain that has another name now', async () => {
    const serial = await owned();
    const activate = async (registered_domain: string, from = {}) =>
      (await root({ slm_action: 'slm_activate', license_key: serial.code, registered_domain, ...from })).body.result;
    for (const domain of ['old.example', 'other.example']) await activate(domain);
    expect(await activate('new.example', { migrate_from: 'http://www.old.example/' })).toBe('success');
    expect(await seatsOf(serial)).toBe(2);
    const [machine] = await server.db.query<{ names: string[] }>(
      `select array_agg(machine_id order by machine_id) as names from activations where serial_id = $1 and released_at is null`,
      [serial.id],
    );
    expect(machine?.names).toEqual(['new.example', 'other.example']);
  });
});

describe('what is passed on', () => {
  it('has no key and no code in the logs', async () => {
    const serial = await owned();
    await woo('activate', serial.code);
    await root({ edd_action: 'check_license', license: serial.code }, 'tnr_plg_nobody');
    expect(server.logged()).toContain('/legacy/:key/wp-json');
    expect(server.logged()).not.toContain(key);
    expect(server.logged()).not.toContain(serial.code);
  });

  it('teaches guessers nothing', async () => {
    const env = { TONEROW_RATE_LIMITS: 'on', TONEROW_SECRET: TEST_SECRET };
    const other = await startServer({ db: server.db, env });
    const serial = await owned();
    const ask = (license: string) =>
      call(other, 'GET', `/legacy/${key}?${query({ edd_action: 'check_license', license })}`);
    for (let n = 0; n < 21; n++) await ask(`NONE-NONE-NONE-${1000 + n}`);
    const [real, none] = [await ask(serial.code), await ask('NONE-NONE-NONE-2000')];
    await other.stop();
    expect([real.status, real.body.license]).toEqual([429, undefined]);
    expect(real.body).toEqual(none.body);
  });

  it('a domain with its seat is checked while its address guesses, and another one learns nothing', async () => {
    const env = { TONEROW_RATE_LIMITS: 'on', TONEROW_SECRET: TEST_SECRET };
    const other = await startServer({ db: server.db, env });
    const serial = await owned();
    const seat = { license_key: serial.code, registered_domain: 'studio.example' };
    await root({ slm_action: 'slm_activate', ...seat });
    const check = (fields: Record<string, string>) =>
      call(other, 'GET', `/legacy/${key}?${query({ slm_action: 'slm_check', ...fields })}`);
    for (let n = 0; n < 21; n++) await check({ license_key: `NONE-NONE-NONE-${1000 + n}` });
    const [here, elsewhere] = [await check(seat), await check({ ...seat, registered_domain: 'other.example' })];
    await other.stop();
    expect(here.body).toMatchObject({
      status: 'active',
      registered_domains: [{ registered_domain: 'studio.example' }],
    });
    expect([elsewhere.status, elsewhere.body.result]).toEqual([429, 'error']);
  });
});

it('knows a site by all of its spellings, and takes other names as they are', () => {
  const site = machineOf('https://www.Studio.example:8443/');
  expect(site.id).toBe('studio.example');
  for (const id of ['studio.example/', 'WWW.studio.example', 'http://studio.example:80', 'studio.example'])
    expect([id, site.isSpelled(id), machineOf(id).id]).toEqual([id, true, 'studio.example']);
  for (const id of ['studio.example/two', 'a.studio.example', 'studio.example.org', ''])
    expect([id, site.isSpelled(id)]).toEqual([id, false]);
  expect(machineOf('http://localhost:8888').isSpelled('localhost/')).toBe(true);
  expect(machineOf('L896D48A88').id).toBe('L896D48A88');
  expect(machineOf('My Studio, 2').id).toBe('My%20Studio%2C%202');
  expect(machineOf('My Studio').isSpelled('my studio')).toBe(false);
  expect(machineOf('é'.repeat(300)).id).toMatch(/^[0-9a-f]{64}$/);
});
