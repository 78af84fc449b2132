import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
let delay: { id: string };
let chorus: { id: string };
let codes: string[];

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  chorus = await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
  const own = await makeSerials(server, ada.token, delay.id, { quantity: 8, batch_tag: '=First' });
  await makeSerials(server, ada.token, chorus.id, { quantity: 5, new_reseller_name: 'Shop' });
  codes = own.map(({ code }) => code);
  await redeem(server, codes[0] as string, 'a@example.com', ada.id);
  clock.set('2026-03-12T12:00:00Z');
  await redeem(server, codes[1] as string, 'b@example.com', ada.id);
  await redeem(server, codes[2] as string, 'c@example.com', ada.id);
});
afterAll(() => server.stop());

const get = (path: string, token = ada.token, headers: Record<string, string> = {}) =>
  call(server, 'GET', `/api/analytics/${path}`, { token, headers });

it('shows how long the serials of each product last at the pace of the last 30 days, the first to run out first', async () => {
  expect((await get('stock')).body).toEqual([
    { product_id: delay.id, product: 'Delay', available: 5, redeemed: 3, per_day: 0.1, days_left: 50 },
    { product_id: chorus.id, product: 'Chorus', available: 5, redeemed: 0, per_day: 0, days_left: null },
  ]);
  expect((await get(`stock?product_id=${chorus.id}`)).body).toHaveLength(1);
  expect((await get('stock', ada.token, { accept: 'text/csv' })).text).toBe(
    'Product,Available,Redeemed in 30 days,Per day,Days left\r\nDelay,5,3,0.1,50\r\nChorus,5,0,0,\r\n',
  );
});

it('counts how far the serials of each batch came, in percent of those generated', async () => {
  const { plaintext } = (
    await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'Delay 2' } })
  ).body;
  const plugin = (body: object) => call(server, 'POST', '/api/license/v1/activate', { token: plaintext, body });
  expect((await plugin({ license_key: codes[0], machine_id: 'one' })).body.status).toBe('active');
  expect((await plugin({ license_key: codes[0], machine_id: 'two' })).body.status).toBe('active');
  expect((await plugin({ license_key: 'WRONG-CODE', machine_id: 'two' })).body.ok).toBe(false);
  const { rows, next_cursor } = (await get('batches')).body;
  expect(next_cursor).toBeNull();
  expect(rows).toMatchObject([
    {
      product: 'Chorus',
      reseller: 'Shop',
      generated: 5,
      handed_out: 0,
      redeemed: 0,
      activated: 0,
      handed_out_percent: 0,
    },
    {
      batch_tag: '=First',
      product: 'Delay',
      reseller: null,
      generated: 8,
      handed_out: null,
      redeemed: 3,
      activated: 1,
      handed_out_percent: null,
      redeemed_percent: 37.5,
      activated_percent: 12.5,
    },
  ]);
  const first = (await get('batches?limit=1')).body;
  expect((await get(`batches?limit=1&cursor=${first.next_cursor}`)).body.rows).toEqual([rows[1]]);
  expect((await get('batches?reseller_id=none')).body.rows).toEqual([rows[1]]);
  const csv = (await get('batches', ada.token, { accept: 'text/csv' })).text.split('\r\n');
  expect(csv[2]).toBe(`'=First,${rows[1].created_at},Delay,,8,,3,1,,37.5,12.5`);
});

it('has the last 30 days of every product in one answer', async () => {
  const { body } = await get('sparklines');
  expect([body.startDate, body.endDate]).toEqual(['2026-02-11', '2026-03-12']);
  const days = Array.from({ length: 30 }, () => 0);
  const own = { product_id: delay.id, redemptions: days.with(27, 1).with(29, 2) };
  expect(body.products).toEqual([own]);
  const none = '0190a1b2-0000-7000-8000-000000000000';
  expect((await get(`sparklines?products=${delay.id},${none}`)).body.products).toEqual([own]);
  expect((await get(`sparklines?products=${none}`)).body.products).toEqual([]);
  expect((await get('sparklines?products=Delay')).status).toBe(400);
  expect((await get(`sparklines?products=${Array.from({ length: 101 }, () => none).join()}`)).status).toBe(400);
});

it('counts the calls and the refusals of each plugin key by day of the account, without a call waiting for it', async () => {
  const token = ada.token;
  await call(server, 'PUT', '/api/account/settings', { token, body: { time_zone: 'Asia/Tokyo' } });
  const { plaintext, key } = (
    await call(server, 'POST', '/api/developer/plugin-keys', { token, body: { label: 'Chorus 1' } })
  ).body;
  // the counts are written once a minute, and when a server stops
  const other = await startServer({ overrides: { clock }, db: server.db });
  const validate = async (machine_id: string) =>
    (
      await call(other, 'POST', '/api/license/v1/validate', {
        token: plaintext,
        body: { license_key: codes[0], machine_id },
      })
    ).body.ok;
  expect([await validate('one'), await validate('another')]).toEqual([true, false]);
  // already the 14th in Tokyo
  clock.set('2026-03-13T16:00:00Z');
  expect(await validate('one')).toBe(true);
  await other.stop();
  const report = async () => (await get('plugin-keys?startDate=2026-03-12&endDate=2026-03-14')).body;
  expect(await report()).toEqual({
    keys: [{ key_id: key.id, label: 'Chorus 1', is_test: false, calls: [2, 0, 1], refused: [1, 0, 0] }],
    startDate: '2026-03-12',
    endDate: '2026-03-14',
    time_zone: 'Asia/Tokyo',
  });
  const csv = (await get('plugin-keys?startDate=2026-03-12&endDate=2026-03-14', token, { accept: 'text/csv' })).text;
  expect(csv).toBe(
    `Date (Asia/Tokyo),Plugin key,Key id,Calls,Refused\r\n2026-03-12,Chorus 1,${key.id},2,1\r\n2026-03-14,Chorus 1,${key.id},1,0\r\n`,
  );
  await call(server, 'DELETE', `/api/developer/plugin-keys/${key.id}`, { token });
  expect((await report()).keys).toMatchObject([{ key_id: key.id, label: null, calls: [2, 0, 1] }]);
});

it('shows nobody else’s figures', async () => {
  const eve = await signUp(server);
  for (const path of ['stock', 'batches', 'sparklines', 'plugin-keys']) {
    const { status, text } = await get(path, eve.token);
    expect([path, status, text.includes('Delay')]).toEqual([path, 200, false]);
  }
  expect((await get(`stock?product_id=${delay.id}`, eve.token)).body).toEqual([]);
});
