import { call, makeProduct, makeSerials, signUp } from '@tonerow/test-support/http.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { describe, expect, it } from 'vitest';
import { countryOfAddress, countryOfRequest } from './geo.ts';

describe('the country of an address', () => {
  it.each([
    ['8.8.8.8', 'US'],
    ['194.25.0.60', 'DE'],
    ['202.12.27.33', 'JP'],
    ['::ffff:8.8.8.8', 'US'],
    ['::FFFF:8.8.8.8', 'US'],
    ['2001:4860:4860::8888', 'US'],
    ['2A02:8070::1', 'DE'],
    ['2404:1a8::1', 'JP'],
  ])('is known without the network: %s', (ip, country) => {
    expect(countryOfAddress(ip)).toBe(country);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '203.0.113.9',
    '198.18.0.1',
    '240.0.0.1',
    '3fff::1',
    '2001::1',
    '4000::1',
    '8000::1',
    '8.8.2056',
    '0x8.8.8.8',
    'fe80::1',
    'fd00::1',
    '2001:db8::1',
    '2002:808:808::1',
    'ff02::1',
    '::',
    '2001:4860:4860:::8888',
    '',
    'unknown',
    '8.8.8',
    '8.8.8.8.8',
    '008.8.8.8',
    '1e3.8.8.8',
    '999.1.1.1',
  ])('is unknown for %j', (ip) => {
    expect(countryOfAddress(ip)).toBeNull();
  });
});

describe('the country of a request', () => {
  const request = (country?: string | string[], ip = '8.8.8.8', remoteAddress: string | undefined = '10.0.0.7') => ({
    ip,
    headers: { 'cf-ipcountry': country },
    socket: { remoteAddress },
  });
  const proxies = ['10.0.0.0/24', '2001:db8::/64', '127.0.0.1'];

  it('is the trusted proxy’s word, else the address’s', () => {
    const countryOf = countryOfRequest('cf-ipcountry', proxies);
    expect(countryOf(request('fr'))).toBe('FR');
    for (const useless of [undefined, '', 'XX', 'T1', 'France', ['FR', 'DE']]) {
      expect(countryOf(request(useless))).toBe('US');
    }
    expect(countryOf(request('FR', '127.0.0.1'))).toBe('FR');
    expect(countryOf(request('XX', '127.0.0.1'))).toBeNull();
  });

  it('trusts no header when no proxy is trusted or no header is configured', () => {
    expect(countryOfRequest('cf-ipcountry', false)(request('FR'))).toBe('US');
    expect(countryOfRequest(undefined, proxies)(request('FR'))).toBe('US');
  });

  it('takes only a trusted proxy’s word, although there is a list of them', () => {
    const countryOf = countryOfRequest('cf-ipcountry', proxies);
    for (const peer of ['10.0.0.255', '::ffff:10.0.0.7', '2001:db8::1', '127.0.0.1']) {
      expect(countryOf(request('FR', '8.8.8.8', peer)), peer).toBe('FR');
    }
    for (const peer of ['10.0.1.7', '8.8.8.8', '::ffff:8.8.8.8', '2001:db8:0:1::1', '::1']) {
      expect(countryOf(request('FR', '8.8.8.8', peer)), peer).toBe('US');
    }
    // a socket that has gone has no address
    expect(countryOf({ ...request('FR'), socket: {} })).toBe('US');
  });
});

it.each([
  ['127.0.0.1', 'FR'],
  ['10.1.2.3', null],
])('the header counts for the ledger when the peer is trusted: %s', async (proxy, country) => {
  const server = await startServer({ env: { TONEROW_TRUST_PROXY: proxy, TONEROW_COUNTRY_HEADER: 'CF-IPCountry' } });
  try {
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body
      .plaintext;
    const body = { license_key: serial?.code, machine_id: 'm', email: 'nina@example.com' };
    const headers = { 'cf-ipcountry': 'FR', 'x-forwarded-for': '203.0.113.9' };
    expect((await call(server, 'POST', '/api/license/v1/activate', { token: key, headers, body })).body.ok).toBe(true);
    expect(await server.db.query('select country from redemptions')).toEqual([{ country }]);
  } finally {
    await server.stop();
  }
});

it('reaches the ledger, by the address behind a trusted proxy', async () => {
  const server = await startServer({ env: { TONEROW_TRUST_PROXY: '127.0.0.1' } });
  try {
    const ada = await signUp(server);
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity: 3 });
    for (const [index, ip] of ['194.25.0.60', '2001:db8::1', '2a02:8070::1'].entries()) {
      const headers = { 'x-forwarded-for': ip };
      const body = { serial: serials[index]?.code, email: `nina${index}@example.com` };
      const { temp_token } = (await call(server, 'POST', '/api/redeem/initiate', { headers, body })).body;
      const name = { temp_token, first_name: 'Nina', last_name: 'Simone' };
      expect((await call(server, 'POST', '/api/redeem/complete', { headers, body: name })).status).toBe(200);
    }
    const rows = await server.db.query('select country from redemptions order by id');
    expect(rows).toEqual([{ country: 'DE' }, { country: null }, { country: 'DE' }]);
  } finally {
    await server.stop();
  }
});
