import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { slmError, wooError } from './shapes.ts';

let server: SharedServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  product = await makeProduct(server, ada.token, { name: 'Delay & Größe', max_activations: 3 });
});

/** A serial with its owner. */
async function owned(): Promise<{ id: string; code: string }> {
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await redeem(server, serial?.code as string, `nina-${randomUUID()}@example.com`, ada.id);
  return serial as { id: string; code: string };
}
const edd = async (action: string, fields: Record<string, string>, by = key) => {
  const asked = new URLSearchParams({ edd_action: `${action}_license`, ...fields });
  return call(server, 'GET', `/legacy/${by}/?${asked}`);
};
const slm = async (action: string, fields: Record<string, string>, by = key) =>
  call(server, 'GET', `/legacy/${by}/?${new URLSearchParams({ slm_action: `slm_${action}`, ...fields })}`);
const woo = (action: string, code: string, query = '', by = key) =>
  call(server, 'GET', `/legacy/${by}/wp-json/lmfwc/v2/licenses/${action}/${code}?consumer_key=ck${query}`);

describe('what EDD’s sample encodes once more', () => {
  it('is the product, the license and the address that it means', async () => {
    const serial = await owned();
    const sent = {
      license: encodeURIComponent(serial.code),
      item_name: encodeURIComponent(product.name),
      url: encodeURIComponent('https://studio.example'),
    };
    const activated = await edd('activate', sent);
    expect(activated.body).toMatchObject({ success: true, license: 'valid', item_name: product.name, site_count: 1 });
    expect((await edd('check', sent)).body).toMatchObject({ license: 'valid', item_name: product.name });
    const plain = { license: serial.code, item_name: product.name, url: 'https://studio.example' };
    expect((await edd('check', plain)).body.license).toBe('valid');
    // as a page of WordPress writes a name
    const asPage = { ...plain, item_name: 'Delay &amp; Gr&#246;&#xDF;e' };
    expect((await edd('check', asPage)).body).toMatchObject({ license: 'valid', item_name: product.name });
    expect((await edd('check', { ...asPage, item_name: encodeURIComponent(asPage.item_name) })).body.license).toBe(
      'valid',
    );
    expect((await edd('deactivate', sent)).body.license).toBe('deactivated');
  });

  it('leaves alone what only looks like it', async () => {
    const serial = await owned();
    const plain = { license: serial.code, url: 'https://studio.example' };
    for (const item_name of ['100%', '100%20 wet', '%FF', '&nothing; &#99999999;'])
      expect((await edd('check', { ...plain, item_name })).body).toMatchObject({
        license: 'item_name_mismatch',
        item_name,
      });
  });
});

describe('what is no answer about a license', () => {
  it('has no code that plugins take for an invalid one', async () => {
    const serial = await owned();
    const stranger = 'tnr_plg_nobody';
    const fromWoo = await woo('validate', serial.code, '', stranger);
    expect([fromWoo.status, fromWoo.body]).toEqual([
      401,
      { code: 'lmfwc_rest_cannot_view', message: expect.any(String), data: { status: 401 } },
    ]);
    const fromSlm = await slm('check', { license_key: serial.code }, stranger);
    // its own code for a wrong secret key
    expect([fromSlm.status, fromSlm.body.error_code]).toEqual([401, 90]);
    expect((await edd('check', { license: serial.code }, stranger)).body.license).toBeUndefined();
  });

  it('is told apart in every shape', () => {
    const codes = { rate_limited: 429, server_error: 500, unavailable: 503 } as const;
    for (const [status, http] of Object.entries(codes) as [keyof typeof codes, number][]) {
      expect(slmError('Later.', status)).toEqual({ result: 'error', message: 'Later.' });
      expect(wooError('Later.', status, http)).toEqual({
        code: expect.not.stringContaining('lmfwc'),
        message: 'Later.',
        data: { status: http },
      });
    }
    expect(slmError('No.', 'not_found').error_code).toBe(60);
  });
});

describe('a site', () => {
  const spellings = [
    'https://www.Studio.example:8443/',
    'http://studio.example',
    'HTTPS://STUDIO.example/',
    'studio.example/',
    'www.studio.example',
    'Studio.example:443',
    'studio.example',
  ];
  /** A license whose machines came with it, spelled as in the file. */
  async function seated(...machines: string[]): Promise<string> {
    const { id, code } = await owned();
    await server.db.query(
      `insert into activations (id, developer_id, serial_id, machine_id, created_at, last_seen_at)
        select gen_random_uuid(), $1, $2, m, now(), now() from unnest($3::text[]) m`,
      [ada.id, id, machines],
    );
    await server.db.query('update serials set seats_used = $2 where id = $1', [id, machines.length]);
    return code;
  }

  it('has one seat, however it and the seat that came with an import are spelled', async () => {
    for (const stored of ['studio.example/', 'https://www.Studio.example:8443/', 'WWW.studio.example']) {
      const code = await seated(stored);
      for (const url of spellings) {
        expect((await edd('check', { license: code, url })).body.license, `${stored} as ${url}`).toBe('valid');
        expect((await edd('activate', { license: code, url })).body, `${stored} as ${url}`).toMatchObject({
          license: 'valid',
          site_count: 1,
        });
      }
      expect((await edd('deactivate', { license: code, url: spellings[0] as string })).body.license).toBe(
        'deactivated',
      );
      expect((await edd('check', { license: code, url: stored })).body.license).not.toBe('valid');
    }
  });

  it('has one seat whichever spelling activated it', async () => {
    for (const first of spellings) {
      const { code } = await owned();
      for (const url of [first, ...spellings])
        expect((await edd('activate', { license: code, url })).body.site_count, `${first}, then ${url}`).toBe(1);
      expect(
        (await slm('check', { license_key: code, registered_domain: first })).body.registered_domains,
      ).toHaveLength(1);
    }
  });

  it('gives up all seats that its spellings have', async () => {
    const code = await seated('studio.example/', 'www.studio.example', 'other.example/');
    const freed = await edd('deactivate', { license: code, url: 'https://studio.example' });
    expect(freed.body).toMatchObject({ license: 'deactivated', site_count: 1 });
    expect((await edd('check', { license: code, url: 'other.example' })).body.license).toBe('valid');
  });

  it('is no other site, and a name with spaces is known as it was imported', async () => {
    const code = await seated('studio.example/', 'My Studio');
    for (const url of ['https://studio.example/two', 'https://astudio.example', 'https://studio.example.org'])
      expect((await edd('check', { license: code, url })).body.license).toBe('site_inactive');
    expect((await edd('check', { license: code, url: 'My Studio' })).body.license).toBe('valid');
    expect((await edd('activate', { license: code, url: 'My Studio' })).body.site_count).toBe(2);
    expect((await edd('check', { license: code, url: 'my studio' })).body.license).toBe('site_inactive');
  });
});

describe('the words of EDD', () => {
  const url = 'https://studio.example';
  it('a license that no site has is inactive, and one of other sites is not active here', async () => {
    const { code } = await owned();
    const facts = { license_limit: 3, expires: 'lifetime' };
    expect((await edd('check', { license: code, url })).body).toMatchObject({
      success: true,
      license: 'inactive',
      ...facts,
      site_count: 0,
      activations_left: 3,
    });
    await edd('activate', { license: code, url: 'https://other.example' });
    expect((await edd('check', { license: code, url })).body).toMatchObject({
      success: true,
      license: 'site_inactive',
      ...facts,
      site_count: 1,
      activations_left: 2,
    });
  });

  it('a refusal of a license that exists has its figures, and one of another license has none', async () => {
    const serial = await owned();
    for (const at of ['one', 'two', 'three'])
      await edd('activate', { license: serial.code, url: `https://${at}.example` });
    const facts = { license_limit: 3, site_count: 3, expires: 'lifetime', activations_left: 0 };
    const full = await edd('activate', { license: serial.code, url });
    expect(full.body).toMatchObject({ success: false, license: 'invalid', error: 'no_activations_left', ...facts });
    expect(full.body.max_sites).toBe(3);
    const other = { license: serial.code, url, item_name: 'Another plugin' };
    expect((await edd('check', other)).body).toMatchObject({ success: true, license: 'item_name_mismatch', ...facts });
    await server.db.query('update serials set revoked_at = now() where id = $1', [serial.id]);
    for (const at of [url, 'https://one.example'])
      expect((await edd('check', { license: serial.code, url: at })).body).toMatchObject({
        success: true,
        license: 'disabled',
        ...facts,
      });
    expect((await edd('activate', { license: serial.code, url })).body).toMatchObject({ error: 'disabled', ...facts });
    expect((await edd('check', { license: 'NONE-NONE-NONE-NONE', url })).body).not.toHaveProperty('license_limit');
  });

  it('an invalid license is no success, and a refused activation has a word that plugins know', async () => {
    const long = 'X'.repeat(300);
    for (const license of ['', long, 'NONE-NONE-NONE-NONE']) {
      expect((await edd('check', { license, url })).body).toMatchObject({ success: false, license: 'invalid' });
      expect((await edd('activate', { license, url })).body).toMatchObject({ success: false, error: 'missing' });
    }
    const [unowned] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    expect((await edd('activate', { license: unowned?.code as string, url })).body.error).toBe('license_not_activable');
    const { code } = await owned();
    expect((await edd('activate', { license: code, url: '' })).body).toMatchObject({
      error: 'missing_url',
      license_limit: 3,
      site_count: 0,
    });
  });
});

describe('the codes of Software License Manager', () => {
  it('distinguish a missing domain from a code that is none', async () => {
    const { code } = await owned();
    const domain = { registered_domain: 'studio.example' };
    for (const license_key of ['', 'X'.repeat(300), 'NONE-NONE-NONE-NONE'])
      for (const action of ['activate', 'check'])
        expect((await slm(action, { license_key, ...domain })).body.error_code, `${action} ${license_key}`).toBe(60);
    expect((await slm('activate', { license_key: code })).body.error_code).toBe(70);
    expect((await slm('deactivate', { license_key: code })).body.error_code).toBe(70);
    expect((await slm('deactivate', { license_key: code, ...domain })).body.error_code).toBe(80);
  });
});

describe('the words of License Manager for WooCommerce', () => {
  const refused = (code: string, status: number) => ({
    code,
    message: expect.any(String),
    data: {
      status,
      errors: { [code]: [expect.any(String)] },
      error_data: { [code]: { status } },
    },
  });

  it('a refusal of a license is one shape for all of its versions', async () => {
    const serial = await owned();
    for (let seat = 0; seat < 3; seat++) await woo('activate', serial.code);
    const none = refused('lmfwc_rest_data_error', 404);
    const full = await woo('activate', serial.code);
    expect([full.status, full.body]).toEqual([404, none]);
    const missing = await woo('validate', 'NONE-NONE-NONE-NONE');
    expect([missing.status, missing.body]).toEqual([404, none]);
    await server.db.query('update serials set revoked_at = now() where id = $1', [serial.id]);
    const revoked = await woo('validate', serial.code);
    expect([revoked.status, revoked.body]).toEqual([404, none]);
  });

  it('one that has expired has its own', async () => {
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await server.db.query(
      `update batches set expires_at = now() - interval '2 days'
        where id = (select batch_id from serials where id = $1)`,
      [serial?.id as string],
    );
    const expired = await woo('validate', serial?.code as string);
    expect([expired.status, expired.body]).toEqual([405, refused('lmfwc_rest_license_expired', 405)]);
  });

  it('the only seat is given up without its token, and none of several', async () => {
    const serial = await owned();
    const nothing = await woo('deactivate', serial.code);
    expect([nothing.status, nothing.body.code]).toEqual([404, 'lmfwc_rest_data_error']);
    const first = (await woo('activate', serial.code)).body.data.activationData.token;
    await woo('activate', serial.code);
    expect((await woo('deactivate', serial.code)).status).toBe(404);
    expect((await woo('validate', serial.code)).body.data.timesActivated).toBe(2);
    expect((await woo('deactivate', serial.code, `&token=${first}`)).body.data.timesActivated).toBe(1);
    expect((await woo('deactivate', serial.code)).body).toMatchObject({ success: true, data: { timesActivated: 0 } });
    expect((await woo('deactivate', 'NONE-NONE-NONE-NONE')).status).toBe(404);
  });
});
