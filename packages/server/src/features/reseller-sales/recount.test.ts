import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { partnerRecount } from '@tonerow/test-support/partner-recount.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let shop: Person;
// a year with a leap day, two changes of daylight saving time, and a night at the edge of each month
const clock = new TestClock('2028-02-27T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

/** Numbers that look random and are the same in every run. */
function chance(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const get = (path: string) => call(server, 'GET', `/api/reseller/${path}`, { token: shop.token });
/** A session ends when the clock has moved on for months. */
async function signInAgain() {
  const body = { email: shop.email, password: PASSWORD };
  const login = await call(server, 'POST', '/api/auth/login', { body });
  shop = { ...shop, token: login.body.token };
}

const cents = (rows: { commission_earned: number }[]) =>
  rows.reduce((sum, row) => sum + Math.round(row.commission_earned * 100), 0);

/** Every screen's figures of a period, against plain sums of the ledger's rows. */
async function expectSame(timeZone: string, from: string, to: string) {
  const entries = await server.db.query<{ day: string; month: string; redemptions: number; cents: number }>(
    `select (at at time zone $2)::date::text as day, to_char(at at time zone 'UTC', 'YYYY-MM') as month,
       sum(redemptions)::int as redemptions, sum(cents)::int as cents from (
       select r.redeemed_at as at, 1 as redemptions, r.commission_cents as cents from redemptions r
         join partnerships t on (t.developer_id, t.id) = (r.developer_id, r.partnership_id) where t.reseller_id = $1
       union all
       select a.created_at, 0, a.commission_cents from ledger_adjustments a
         join partnerships t on (t.developer_id, t.id) = (a.developer_id, a.partnership_id) where t.reseller_id = $1) e
     group by 1, 2`,
    [shop.id, timeZone],
  );
  const sumOf = (rows: typeof entries) => ({
    redemptions: rows.reduce((sum, row) => sum + row.redemptions, 0),
    cents: rows.reduce((sum, row) => sum + row.cents, 0),
  });
  const period = sumOf(entries.filter(({ day }) => day >= from && day <= to));
  const query = `?startDate=${from}&endDate=${to}`;
  const [summary, graph, developers, dashboard, history, list] = await Promise.all([
    get(`summary${query}`),
    get(`graph${query}`),
    get(`graph-by-developer${query}`),
    get('dashboard'),
    get('history'),
    get(`transactions?dateRange=${from}_to_${to}`),
  ]);
  expect(summary.body).toMatchObject({
    total_redemptions: period.redemptions,
    total_commission: period.cents / 100,
    time_zone: timeZone,
  });
  for (const { date, redemptions, commission_earned } of graph.body) {
    const day = sumOf(entries.filter((entry) => entry.day === date));
    expect([date, redemptions, Math.round(commission_earned * 100)]).toEqual([date, day.redemptions, day.cents]);
  }
  for (const { body } of [graph, developers]) expect(cents(body)).toBe(period.cents);
  const whole = sumOf(entries);
  expect(dashboard.body.stats).toMatchObject({
    totalRedemptions: whole.redemptions,
    totalCommission: whole.cents / 100,
  });
  for (const month of new Set(entries.map((entry) => entry.month))) {
    const rows = history.body.filter((row: { month: string }) => row.month === month);
    const sum = rows.reduce(
      (total: number, row: { commission_total: number }) => total + Math.round(row.commission_total * 100),
      0,
    );
    expect([month, sum]).toEqual([month, sumOf(entries.filter((entry) => entry.month === month)).cents]);
  }
  // every row of the list is one entry of the period
  let page = list.body;
  const rows = [...page.rows];
  while (page.next_cursor) {
    page = (await get(`transactions?dateRange=${from}_to_${to}&cursor=${page.next_cursor}`)).body;
    rows.push(...page.rows);
  }
  expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([list.body.total, list.body.total]);
  expect(cents(rows)).toBe(period.cents);
  const recount = await partnerRecount(server);
  expect(recount.sums).toEqual(recount.ledger);
}

it('agrees with the ledger after any row of redemptions, refunds, reversals and rates, in every time zone', async () => {
  const random = chance(20281105);
  shop = await signUpVerified(server, 'reseller');
  const sold: { token: string; id: string }[] = [];
  const open: { token: string; dev: string; code: string; id: string }[] = [];
  const makers: { maker: Person; partnership: string }[] = [];
  for (const rate of [12.5, 33.33]) {
    const maker = await signUpVerified(server);
    await setPlan(server.db, { plan: 'elite', accountId: maker.id });
    const partnership = await connectPartners(server, maker, shop, rate);
    makers.push({ maker, partnership });
    for (const price of [0.04, 19.99]) {
      const product = await makeProduct(server, maker.token, { price });
      const serials = await makeSerials(server, maker.token, product.id, { quantity: 25, reseller_id: partnership });
      open.push(...serials.map((serial) => ({ ...serial, token: maker.token, dev: maker.id })));
    }
  }
  const own = { reason: 'By chance' };
  const outcomes = new Set<number>();
  while (open.length > 0) {
    clock.set(new Date(clock.now().getTime() + random(40) * 1_800_000).toISOString());
    const act = random(8);
    const some = sold[random(sold.length || 1)];
    if (act < 5 || !some) {
      const [serial] = open.splice(random(open.length), 1);
      if (!serial) continue;
      const { status } = await redeem(server, serial.code, `fan${random(9)}@example.com`, serial.dev);
      expect(status).toBe(200);
      sold.push(serial);
    } else if (act === 5) {
      await server.db.query('update partnerships set commission_bps = $2 where id = $1', [
        makers[random(2)]?.partnership,
        random(10_001),
      ]);
    } else {
      const [action, body] =
        act === 6
          ? ['refund', { ...own, ...(random(2) === 0 ? { amount: (1 + random(700)) / 100 } : {}) }]
          : ['reinstate', own];
      const { maker } = makers.find((each) => each.maker.token === some.token) as (typeof makers)[number];
      const answer = await call(server, 'POST', `/api/serials/${some.id}/${action}`, { token: maker.token, body });
      outcomes.add(answer.status);
    }
  }
  expect([...outcomes].sort()).toEqual([201, 409, 422]);
  const last = clock.now().toISOString().slice(0, 10);
  await signInAgain();
  await expectSame('UTC', '2028-02-27', last);

  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York', 'Asia/Kathmandu']) {
    const moved = await call(server, 'PUT', '/api/account/settings', {
      token: shop.token,
      body: { time_zone: timeZone },
    });
    expect(moved.status).toBe(200);
    // right at once, from the ledger, and afterwards, from the days that were recounted
    await expectSame(timeZone, '2028-02-26', last);
    await expect
      .poll(
        () =>
          server.db.query(
            'select distinct time_zone from partner_calendars z join partnerships t on (t.developer_id, t.id) = (z.developer_id, z.partnership_id) where t.reseller_id = $1',
            [shop.id],
          ),
        { timeout: 20_000 },
      )
      .toEqual([{ time_zone: timeZone }]);
    await expectSame(timeZone, '2028-02-26', last);
  }
  // sales after the recount are added to the new days
  const [maker] = makers as [(typeof makers)[number]];
  const product = await makeProduct(server, maker.maker.token, { price: 5 });
  const [serial] = await makeSerials(server, maker.maker.token, product.id, { reseller_id: maker.partnership });
  await redeem(server, serial?.code as string, 'late@example.com', maker.maker.id);
  await expectSame('Asia/Kathmandu', '2028-02-26', '2029-01-01');
}, 180_000);

it('counts days in which the clock is moved by their own length', async () => {
  shop = await signUpVerified(server, 'reseller');
  const maker = await signUpVerified(server);
  const partnership = await connectPartners(server, maker, shop, 50);
  const product = await makeProduct(server, maker.token, { price: 2 });
  const serials = await makeSerials(server, maker.token, product.id, { quantity: 4, reseller_id: partnership });
  await call(server, 'PUT', '/api/account/settings', { token: shop.token, body: { time_zone: 'America/New_York' } });
  // 2030-03-10 has 23 hours there and 2030-11-03 has 25: the last minute of each, and the first of the next day
  const minutes = ['2030-03-11T03:59:00Z', '2030-03-11T04:00:00Z', '2030-11-04T04:59:00Z', '2030-11-04T05:00:00Z'];
  for (const [n, minute] of minutes.entries()) {
    clock.set(minute);
    await redeem(server, serials[n]?.code as string, 'nina@example.com', maker.id);
  }
  await signInAgain();
  for (const day of ['2030-03-10', '2030-03-11', '2030-11-03', '2030-11-04']) {
    const { body } = await get(`summary?startDate=${day}&endDate=${day}`);
    expect([day, body.total_redemptions, body.total_commission]).toEqual([day, 1, 1]);
  }
});
