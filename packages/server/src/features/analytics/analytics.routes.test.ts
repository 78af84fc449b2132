import { beside } from '@tonerow/test-support/beside.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { countPlaces } from '../redemption/ledger/recount.ts';

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

/** The ledger, counted as `ledger_places` has it. */
const places = () =>
  server.db.query(
    `select (r.redeemed_at at time zone u.time_zone)::date::text as day, product_id, coalesce(country, '') as country, count(*)::int as n,
       sum(final_price_cents)::int as cents
     from redemptions r join users u on u.id = r.developer_id where r.developer_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
    [ada.id],
  );
const placeSums = () =>
  server.db.query(
    `select day::text, product_id, country, sum(redemptions)::int as n, sum(revenue_cents)::int as cents from ledger_places
     where developer_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
    [ada.id],
  );

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
    byProduct: [
      { product_id: delay.id, product: 'Delay', revenue: [30, 30, 0], redemptions: [1, 1, 0] },
      { product_id: chorus.id, product: 'Chorus', revenue: [0, 19.98, 0], redemptions: [0, 2, 0] },
    ],
    previous: null,
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
  expect(await placeSums()).toEqual(await places());
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

describe('filters and comparisons', () => {
  let eve: Person;
  let delay: { id: string };
  let chorus: { id: string };
  let shop: string;
  const ofEve = async (query: string) =>
    (await call(server, 'GET', `/api/analytics${query}`, { token: eve.token })).body;
  const march = '?startDate=2026-03-01&endDate=2026-03-31';

  beforeAll(async () => {
    eve = await signUp(server);
    await setPlan(server.db, { plan: 'elite', accountId: eve.id });
    delay = await makeProduct(server, eve.token, { name: 'Delay', price: 30 });
    chorus = await makeProduct(server, eve.token, { name: 'Chorus', price: 20 });
    const own = await makeSerials(server, eve.token, delay.id, { quantity: 6 });
    const sold = await makeSerials(server, eve.token, chorus.id, { quantity: 6, new_reseller_name: 'Shop' });
    const sell = async (moment: string, code: string | undefined) => {
      clock.set(moment);
      await redeem(server, code as string, `${code}@example.com`, eve.id);
    };
    await sell('2026-02-10T08:00:00Z', own[0]?.code);
    await sell('2026-02-20T08:00:00Z', own[1]?.code);
    await sell('2026-02-20T18:00:00Z', sold[0]?.code);
    await sell('2026-03-05T08:00:00Z', own[2]?.code);
    await sell('2026-03-20T08:00:00Z', sold[1]?.code);
    await sell('2026-03-20T09:00:00Z', sold[2]?.code);
    const rows = await server.db.query<{ id: string }>(
      "select id from partnerships where developer_id = $1 and name = 'Shop'",
      [eve.id],
    );
    shop = rows[0]?.id as string;
  }, 60_000);

  it('narrows all figures to a product, a reseller and a country, which combine', async () => {
    const of = async (filter: string) => (await ofEve(`${march}${filter}`)).totals.redemptions;
    expect(await of('')).toBe(3);
    expect(await of(`&product_id=${delay.id}`)).toBe(1);
    expect(await of(`&reseller_id=${shop}`)).toBe(2);
    expect(await of('&reseller_id=none')).toBe(1);
    expect(await of('&country=none')).toBe(3);
    expect(await of('&country=DE')).toBe(0);
    expect(await of(`&country=none&product_id=${delay.id}&reseller_id=${shop}`)).toBe(0);
    const filtered = await ofEve(`${march}&product_id=${chorus.id}`);
    expect([filtered.customerGeo, filtered.resellerStats]).toEqual([
      [{ country: null, count: 2 }],
      { Shop: { redemptions: 2, revenue: 40, refunded: 0 } },
    ]);
    expect((await call(server, 'GET', `/api/analytics?country=germany`, { token: eve.token })).status).toBe(400);
    const theirs = await call(server, 'GET', `/api/analytics${march}&product_id=${delay.id}`, { token: ada.token });
    expect(theirs.body.totals.redemptions).toBe(0);
  });

  it('compares a month with the same part of the month before, to the minute', async () => {
    clock.set('2026-03-20T12:00:00Z');
    const { previous } = await ofEve(march);
    // the sale of February 20, 18:00 does not count yet
    expect(previous).toEqual({
      startDate: '2026-02-01',
      endDate: '2026-02-20',
      until: '2026-02-20T12:00:00.000Z',
      totals: { redemptions: 2, revenue: 60, refunded: 0 },
      productStats: { Delay: 2 },
      resellerStats: {},
    });
    clock.set('2026-03-20T19:00:00Z');
    expect((await ofEve(march)).previous.totals.redemptions).toBe(3);
    expect((await ofEve(`${march}&country=none`)).previous.totals.redemptions).toBe(3);
    expect((await ofEve(`${march}&reseller_id=${shop}`)).previous.totals).toEqual({
      redemptions: 1,
      revenue: 20,
      refunded: 0,
    });
  });

  it('compares with nothing where nothing was sold by then', async () => {
    clock.set('2026-04-02T12:00:00Z');
    expect((await ofEve('?startDate=2026-02-01&endDate=2026-02-28')).previous).toBeNull();
    expect((await ofEve('?startDate=2026-03-05&endDate=2026-03-06')).previous.totals.redemptions).toBe(0);
    expect((await ofEve(`?startDate=2026-02-11&endDate=2026-02-20&product_id=${chorus.id}`)).previous).toBeNull();
  });

  it('counts by country what was sold before there were such sums, in steps, and is right from the first moment', async () => {
    const all = () =>
      server.db.query(
        `select day::text, product_id, partnership_id, country, redemptions, revenue_cents::int, adjustment_revenue_cents::int
         from ledger_places where developer_id = $1 order by 1, 2, 3, 4`,
        [eve.id],
      );
    const [row] = await server.db.query<{ serial_id: string }>(
      'select serial_id from redemptions where developer_id = $1 order by redeemed_at limit 1',
      [eve.id],
    );
    await call(server, 'POST', `/api/serials/${row?.serial_id}/refund`, {
      token: eve.token,
      body: { amount: 9, reason: 'Late update' },
    });
    const before = await all();
    expect(before.length).toBeGreaterThan(4);
    const filtered = () => ofEve('?startDate=2026-02-01&endDate=2026-04-30&country=none');
    const right = (await filtered()).totals;
    expect(right).toEqual({ redemptions: 6, revenue: 141, refunded: 9 });
    await server.db.query('delete from ledger_places where developer_id = $1', [eve.id]);
    await server.db.query('delete from ledger_place_counts where developer_id = $1', [eve.id]);
    expect((await filtered()).totals).toEqual(right);
    let steps = 1;
    while (await beside({ server, clock }, ({ db }) => db.work({ tx: true }, (tx) => countPlaces(tx, eve.id, 2)))) {
      steps += 1;
      expect((await filtered()).totals).toEqual(right);
    }
    expect(steps).toBeGreaterThan(2);
    expect(await all()).toEqual(before);
    expect((await filtered()).totals).toEqual(right);
  });
});
