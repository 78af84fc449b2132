import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '../../../../../test/support/http.ts';
import { setPlan } from '../../../../../test/support/plans.ts';
import { startServer, type TestServer } from '../../../../../test/support/server.ts';
import { TestClock } from '../../platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
});
afterAll(() => server.stop());

const get = (query: string, headers: Record<string, string> = {}) =>
  call(server, 'GET', `/api/analytics${query}`, { token: ada.token, headers });

/** The sums, counted from the ledger itself. */
const recount = () =>
  server.db.query(
    `select (r.redeemed_at at time zone u.time_zone)::date as day, count(*)::int as redemptions, sum(final_price_cents)::int as cents
     from redemptions r join users u on u.id = r.developer_id where r.developer_id = $1 group by 1 order by 1`,
    [ada.id],
  );
const sums = () =>
  server.db.query(
    `select day, sum(redemptions)::int as redemptions, sum(revenue_cents)::int as cents from ledger_days
     where developer_id = $1 group by 1 order by 1`,
    [ada.id],
  );

it('sums the ledger by day, product, reseller and country, and always agrees with it', async () => {
  const delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  const chorus = await makeProduct(server, ada.token, { name: 'Chorus', price: 20, sale_price: 9.99 });
  const own = await makeSerials(server, ada.token, delay.id, { quantity: 3 });
  const sold = await makeSerials(server, ada.token, chorus.id, { quantity: 3, new_reseller_name: 'Shop' });
  clock.set('2026-03-09T23:30:00Z');
  await redeem(server, own[0]?.code as string, 'a@example.com', ada.id);
  clock.set('2026-03-10T00:30:00Z');
  await Promise.all([
    redeem(server, own[1]?.code as string, 'b@example.com', ada.id),
    redeem(server, sold[0]?.code as string, 'c@example.com', ada.id),
    redeem(server, sold[1]?.code as string, 'd@example.com', ada.id),
  ]);
  const { body } = await get('?startDate=2026-03-09&endDate=2026-03-11');
  expect(body).toEqual({
    dailyRevenue: { '2026-03-09': 30, '2026-03-10': 49.98, '2026-03-11': 0 },
    dailyRedemptions: { '2026-03-09': 1, '2026-03-10': 3, '2026-03-11': 0 },
    productStats: { Delay: 2, Chorus: 2 },
    productRevenue: { Delay: 60, Chorus: 19.98 },
    resellerStats: { Shop: { redemptions: 2, revenue: 19.98, refunded: 0 } },
    customerGeo: [{ country: null, count: 4 }],
    totals: { redemptions: 4, revenue: 79.98, refunded: 0 },
    startDate: '2026-03-09',
    endDate: '2026-03-11',
    time_zone: 'UTC',
  });
  expect(await sums()).toEqual(await recount());
});

it('follows the account into another time zone while redemptions continue', async () => {
  const delay = await makeProduct(server, ada.token, { name: 'Reverb', price: 1 });
  const serials = await makeSerials(server, ada.token, delay.id, { quantity: 12 });
  const move = (time_zone: string) =>
    call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { time_zone } });
  const work = serials.map(({ code }, index) => redeem(server, code, `x${index}@example.com`, ada.id));
  const moved = await Promise.all([move('America/New_York'), ...work]);
  expect(moved.map((answer) => answer.status)).toEqual(moved.map(() => 200));
  expect(await sums()).toEqual(await recount());
  const { body } = await get('?startDate=2026-03-09&endDate=2026-03-09');
  expect([body.time_zone, body.totals.redemptions]).toEqual(['America/New_York', 16]);
  await move('Asia/Kathmandu');
  expect(await sums()).toEqual(await recount());
  expect((await get('?startDate=2026-03-10&endDate=2026-03-10')).body.totals.redemptions).toBe(16);
  await move('UTC');
});

it('uses the last 30 days when a period is missing or incomplete, and explains what is wrong with others', async () => {
  for (const query of ['', '?startDate=2026-01-01']) {
    const { body } = await get(query);
    expect([body.startDate, body.endDate, Object.keys(body.dailyRevenue).length]).toEqual([
      '2026-02-09',
      '2026-03-10',
      30,
    ]);
  }
  expect((await get('?startDate=2026-03-02&endDate=2026-03-01')).body.errors[0].path).toBe('startDate');
  expect((await get('?startDate=2026-02-30&endDate=2026-03-01')).body.errors[0].path).toBe('startDate');
  expect((await get('?startDate=yesterday&endDate=2026-03-01')).status).toBe(400);
});

it('ends with the last day that there is', async () => {
  const { status, body } = await get('?startDate=9989-12-23&endDate=9999-12-31');
  expect([status, Object.keys(body.dailyRevenue).at(-1)]).toEqual([200, '9999-12-31']);
});

it('returns CSV that names the time zone of its days, also by country', async () => {
  const file = await get('?startDate=2026-03-09&endDate=2026-03-10', { accept: 'text/csv' });
  expect(file.text.split('\r\n').slice(0, 2)).toEqual([
    'Date (UTC),Product,Reseller,Redemptions,Revenue,Refunded',
    '2026-03-09,Delay,,1,30.00,0.00',
  ]);
  const geo = await call(server, 'GET', '/api/analytics/geo', { token: ada.token });
  expect(geo.body).toEqual([{ country: null, count: 16 }]);
});

it('counts products and resellers whatever they are called', async () => {
  const product = await makeProduct(server, ada.token, { name: '__proto__', price: 7 });
  const [serial] = await makeSerials(server, ada.token, product.id, { new_reseller_name: '__proto__' });
  clock.set('2026-03-25T12:00:00Z');
  await redeem(server, serial?.code as string, 'proto@example.com', ada.id);
  const { body } = await get('?startDate=2026-03-25&endDate=2026-03-25');
  expect(Object.entries(body.productStats)).toEqual([['__proto__', 1]]);
  expect(Object.entries(body.productRevenue)).toEqual([['__proto__', 7]]);
  expect(Object.entries(body.resellerStats)).toEqual([['__proto__', { redemptions: 1, revenue: 7, refunded: 0 }]]);
});
