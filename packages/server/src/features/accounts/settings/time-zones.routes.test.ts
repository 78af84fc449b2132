import { randomUUID } from 'node:crypto';
import { dealCalls } from '@tonerow/test-support/deal-calls.ts';
import { call, makeProduct, PASSWORD, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { importCalls } from '@tonerow/test-support/import-calls.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

const [LA, BERLIN, TOKYO] = ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo'];

let server: SharedServer;
let ada: Person;
let pair: Partners;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
});

const settings = (person: Person, time_zone: string) =>
  call(server, 'PUT', '/api/account/settings', { token: person.token, body: { time_zone } });
const csvOf = async (path: string, { token } = ada) =>
  (await call(server, 'GET', path, { token, headers: { accept: 'text/csv' } })).text;
const { send } = importCalls(() => ({ server, ada }));
const { asked, accept, received, own, emailTo } = dealCalls(() => ({ server, pair, product }));

async function accountIn(zone: string): Promise<Person> {
  ada = await signUp(server);
  expect((await settings(ada, zone)).status).toBe(200);
  product = await makeProduct(server, ada.token, { name: 'Prism' });
  return ada;
}

describe('registration', () => {
  it.each([
    ['developer', '/api/auth/register'],
    ['reseller', '/api/reseller/register'],
  ])('of a %s takes the time zone of whoever registers, which is UTC without one', async (_role, path) => {
    for (const [given, kept] of [
      ['Asia/Tokyo', 'Asia/Tokyo'],
      ['europe/berlin', 'Europe/Berlin'],
      [undefined, 'UTC'],
    ]) {
      const email = `zone-${randomUUID()}@example.com`;
      const form = { first_name: 'Ada', last_name: 'Row', company_name: 'Row Audio', email, password: PASSWORD };
      const made = await call(server, 'POST', path, { body: { ...form, time_zone: given } });
      expect(made.status, made.text).toBe(201);
      const { user: account, token } = (
        await call(server, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } })
      ).body;
      expect(account.time_zone).toBe(kept);
      const me = await call(server, 'GET', '/api/auth/me', { token });
      expect(me.headers.get('x-tonerow-time-zone')).toBe(kept);
    }
    const wrong = await call(server, 'POST', path, { body: { time_zone: 'Mars/Olympus' } });
    expect(wrong.body.errors).toContainEqual(expect.objectContaining({ path: 'time_zone' }));
  });
});

describe.each([
  [LA, '2099-12-06T02:30:00.000Z', '2099-12-06T07:59:59.999Z', '-08:00'],
  [BERLIN, '2099-12-05T17:30:00.000Z', '2099-12-05T22:59:59.999Z', '+01:00'],
  [TOKYO, '2099-12-05T09:30:00.000Z', '2099-12-05T14:59:59.999Z', '+09:00'],
])('an account in %s', (zone, evening, end, offset) => {
  it('means its own clock by a moment without an offset, and its own day, in every call', async () => {
    await accountIn(zone);
    const generated = await call(server, 'POST', '/api/serials/generate', {
      token: ada.token,
      body: {
        product_id: product.id,
        quantity: 1,
        promo_price: 9,
        promo_start: '2026-01-01T18:30',
        promo_expires: '2099-12-05T18:30',
        expires_at: '2099-12-05',
      },
    });
    expect(generated.status, generated.text).toBe(201);
    expect(generated.body.serials[0]).toMatchObject({ promo_expires: evening, expires_at: end });

    const batch = `/api/batches/${generated.body.batch_id}`;
    const change = (body: object) => call(server, 'PATCH', batch, { token: ada.token, body });
    expect((await change({ promo_expires: '2099-12-05', expires_at: '2099-12-05 18:30' })).body).toMatchObject({
      promo_expires: end,
      expires_at: evening,
    });
    // one with an offset is that moment, wherever the account is
    expect((await change({ expires_at: '2099-12-05T18:30Z' })).body.expires_at).toBe('2099-12-05T18:30:00.000Z');
    expect((await change({ expires_at: '05/12/2099' })).body.errors[0].path).toBe('expires_at');

    const token = (expires_at: string) =>
      call(server, 'POST', '/api/account/tokens', {
        token: ada.token,
        body: { name: 'CI', scopes: ['serials:read'], expires_at },
      });
    expect((await token('2099-12-05')).body.expires_at).toBe(end);
    expect((await token('2099-12-05T18:30')).body.expires_at).toBe(evening);
    expect((await token('soon')).body.errors[0].path).toBe('expires_at');
  });

  it('reads and writes CSV by the same days, and a file that it exported changes nothing', async () => {
    await accountIn(zone);
    const head = 'Serial,Product,Promo Price,Promo Expires,Active From,Active To,Batch Tag,Notes';
    const first = await send(
      'available',
      `${head}\nAAAA-0001,Prism,9,2099-12-05,2026-01-01,2099-12-05T18:30,A,\nAAAA-0002,Prism,9,2099-12-05 18:30,,2099-12-05,B,\n`,
    );
    expect(first.body).toMatchObject({ count: 2, rejected: 0 });
    const listed = async (code: string) =>
      (await call(server, 'GET', `/api/serials?search=${code}`, { token: ada.token })).body.rows[0];
    expect(await listed('AAAA0001')).toMatchObject({ promo_expires: end, expires_at: evening });
    expect(await listed('AAAA0002')).toMatchObject({ promo_expires: evening, expires_at: end });

    const csv = await csvOf('/api/serials');
    expect(csv).toContain(`AAAA-0001,Prism,9,2099-12-05T23:59:59.999${offset},2026-01-01T00:00:00.000${offset},`);
    expect(csv).toContain(`AAAA-0002,Prism,9,2099-12-05T18:30:00.000${offset},,2099-12-05T23:59:59.999${offset},B,`);
    // the developer who moves them gets the same moments
    const renamed = csv.replaceAll('AAAA-', 'BBBB-');
    expect((await send('available', renamed)).body).toMatchObject({ count: 2, rejected: 0 });
    expect(await listed('BBBB0001')).toMatchObject({ promo_expires: end, expires_at: evening });
    // programs get them as answers do
    const lines = await call(server, 'GET', '/api/serials?search=AAAA0001', {
      token: ada.token,
      headers: { accept: 'application/x-ndjson' },
    });
    expect(JSON.parse(lines.text)).toMatchObject({ promo_expires: end, expires_at: evening });
  });

  it('has the days of its clock in the CSVs of what happened', async () => {
    await accountIn(zone);
    const made = await call(server, 'POST', '/api/serials/generate', {
      token: ada.token,
      body: { product_id: product.id, quantity: 1 },
    });
    await redeem(server, made.body.serials[0].code, 'nina@example.com');
    for (const path of [
      '/api/serials/redeemed',
      '/api/customers/export',
      '/api/products/export',
      '/api/audit-log',
      '/api/analytics/batches',
    ]) {
      const csv = await csvOf(path);
      expect(csv, path).toMatch(
        new RegExp(`\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?\\${offset[0]}\\d\\d:00`),
      );
      expect(csv, path).not.toMatch(/:\d\d(\.\d+)?Z/);
    }
  });
});

describe('partners in two zones', () => {
  it('read the day that was chosen, with the zone of who chose it, in emails and answers', async () => {
    pair = await makePartners(server);
    await settings(pair.developer, LA);
    await settings(pair.reseller, TOKYO);
    product = await makeProduct(server, pair.developer.token, { name: 'Prism' });

    const id = await asked({ promo_start: '2099-12-01', promo_expires: '2099-12-05', expires_at: '2099-12-31' });
    const zones = { developer_time_zone: LA, reseller_time_zone: TOKYO };
    const [request] = (await received()).rows;
    expect(request).toMatchObject({ ...zones, promo_expires: '2099-12-05T14:59:59.999Z' });
    const asking = (await emailTo(pair.developer, 'requests a deal')).text ?? '';
    for (const day of ['December 1, 2099', 'December 5, 2099', 'December 31, 2099'])
      expect(asking).toContain(`${day} (Tokyo time)`);

    const accepted = await accept(id, { promo_expires: '2099-12-05', expires_at: '2099-12-31' });
    expect(accepted.status, accepted.text).toBe(201);
    expect((await own()).rows[0]).toMatchObject({ ...zones, accepted: { promo_expires: '2099-12-06T07:59:59.999Z' } });
    const answer = (await emailTo(pair.reseller, 'accepted your deal')).text ?? '';
    expect(answer).toContain('with changed terms');
    for (const day of ['December 5, 2099', 'December 31, 2099']) expect(answer).toContain(`${day} (Los Angeles time)`);

    const deals = await call(server, 'GET', '/api/reseller/deals', { token: pair.reseller.token });
    expect(deals.body.rows[0].developer_time_zone).toBe(LA);
    const [deal] = deals.body.rows;
    const item = await call(server, 'GET', `/api/reseller/products/${product.id}?deal=${deal.id}`, {
      token: pair.reseller.token,
    });
    expect(item.body.product.developer_time_zone).toBe(LA);
    // the file of each has the moment on its own clock
    expect(await csvOf('/api/reseller/deal-requests', pair.reseller)).toContain('2099-12-05T23:59:59.999+09:00');
    expect(await csvOf('/api/reseller/developer/deal-requests', pair.developer)).toContain(
      '2099-12-05T06:59:59.999-08:00',
    );
  });

  it('that accept what was asked for see no change of terms', async () => {
    pair = await makePartners(server);
    await settings(pair.developer, LA);
    await settings(pair.reseller, TOKYO);
    product = await makeProduct(server, pair.developer.token, { name: 'Prism' });
    const id = await asked({ promo_expires: '2099-12-05' });
    await accept(id, { promo_expires: '2099-12-05T14:59:59.999Z' });
    const answer = (await emailTo(pair.reseller, 'accepted your deal')).text ?? '';
    expect(answer).toContain('December 5, 2099 (Tokyo time)');
    expect(answer).not.toContain('changed terms');
  });
});
