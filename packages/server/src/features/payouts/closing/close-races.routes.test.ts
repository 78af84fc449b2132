import { partnerRecount } from '@tonerow/test-support/partner-recount.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, sellAt, close, payoutsOf, authed, beside } = payoutScene(() => ({ server, clock }));

/** As many at once as one account may have. */
const inParallel = async <Item>(items: Item[], work: (item: Item) => Promise<void>) => {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
};

it('a refund that races the close is in exactly one statement', async () => {
  clock.set('2026-01-10T12:00:00Z');
  const { ada, rae, product } = await partners({ rate: 12.5, price: 9.99 });
  const sold = await sell(ada, product, 40);
  clock.set('2026-01-31T23:59:59.999Z');
  let done = 0;
  const refunding = inParallel(sold, async (id) => {
    const answer = await authed(ada, 'POST', `/api/serials/${id}/refund`, { amount: 3.33, reason: 'Late' });
    expect(answer.status, answer.text).toBe(201);
    done += 1;
  });
  await vi.waitUntil(() => done > 8, { timeout: 30_000, interval: 1 });
  clock.set('2026-02-01T00:00:00Z');
  await Promise.all([refunding, close(), close()]);
  clock.set('2026-03-01T00:00:00Z');
  await close();
  const rows = await payoutsOf(rae);
  const ledger = await server.db.query(
    `select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as n, to_char(month, 'YYYY-MM') = to_char(created_at at time zone 'UTC', 'YYYY-MM') as own
     from ledger_adjustments where developer_id = $1 group by 1, 3 order by 1 desc`,
    [ada.id],
  );
  expect(rows.map((row) => ({ month: row.month, n: row.adjustments, own: true })).filter(({ n }) => n > 0)).toEqual(
    ledger,
  );
  expect(ledger).toHaveLength(2);
  // 3.33 of 9.99 at 12.5%: what is left earns 0.83 instead of 1.25
  const [sum] = await server.db.query(
    'select sum(revenue_cents)::int as revenue, sum(commission_cents)::int as commission from ledger_adjustments where developer_id = $1',
    [ada.id],
  );
  expect(sum).toEqual({ revenue: -333 * 40, commission: -42 * 40 });
  const recount = await partnerRecount(server);
  expect(recount.sums).toEqual(recount.ledger);
  expect(await beside((deps) => deps.payoutAudit.run())).toBe(0);
});

it('a rate that changes while serials are redeemed: each has one of the two, and its commission by its own', async () => {
  clock.set('2026-04-10T12:00:00Z');
  const { ada, rae, product, partnershipId } = await partners({ rate: 20, price: 9.99 });
  const serials = await sellAt(ada, product, 60);
  let done = 0;
  const redeeming = inParallel(serials, async (redeemed) => {
    expect((await redeemed()).status).toBe(200);
    done += 1;
  });
  await vi.waitUntil(() => done > 10, { timeout: 30_000, interval: 1 });
  const changed = await authed(ada, 'PATCH', `/api/reseller/developer/resellers/${partnershipId}`, {
    commission_rate: 33.33,
  });
  expect(changed.status, changed.text).toBe(200);
  await redeeming;
  clock.set('2026-05-01T00:00:00Z');
  await close();
  const rows = await server.db.query<{ bps: number; cents: number; n: number }>(
    'select commission_bps as bps, commission_cents as cents, count(*)::int as n from redemptions where developer_id = $1 group by 1, 2 order by 1',
    [ada.id],
  );
  expect(rows.map(({ bps, cents }) => [bps, cents])).toEqual([
    [2000, 200],
    [3333, 333],
  ]);
  const [statement] = await payoutsOf(rae);
  const earned = rows.reduce((sum, { cents, n }) => sum + cents * n, 0);
  expect([statement.total_redemptions, Math.round(statement.reseller_earned * 100)]).toEqual([60, earned]);
});

describe('cents and moments at the edge', () => {
  it('half a cent goes up once, and to the cent where a refund takes a part of it', async () => {
    clock.set('2026-06-10T12:00:00Z');
    const { ada, rae, product } = await partners({ rate: 12.5, price: 0.04 });
    const [first] = await sell(ada, product, 2);
    await authed(ada, 'POST', `/api/serials/${first}/refund`, { amount: 0.01, reason: 'Late' });
    clock.set('2026-07-01T00:00:00Z');
    await close();
    expect(await payoutsOf(rae)).toMatchObject([
      { total_revenue: 0.08, reseller_earned: 0.02, developer_owed: 0.06, commission_rate: 12.5, due: 0.06 },
    ]);
  });

  it('the last millisecond of a month is in it, and the first one of the next in that, also in leap years', async () => {
    for (const [year, days] of [
      [2027, 28],
      [2028, 29],
    ] as const) {
      clock.set(`${year}-02-${days}T23:59:59.999Z`);
      const { ada, rae, product } = await partners({ rate: 20, price: 10 });
      await sell(ada, product, 1);
      clock.set(`${year}-03-01T00:00:00.000Z`);
      await sell(ada, product, 2);
      clock.set(`${year}-04-01T00:00:00.000Z`);
      await close();
      expect((await payoutsOf(rae)).map((row) => [row.month, row.period_end, row.total_redemptions])).toEqual([
        [`${year}-03`, `${year}-04-01T00:00:00.000Z`, 2],
        [`${year}-02`, `${year}-03-01T00:00:00.000Z`, 1],
      ]);
    }
  });

  it.each([
    // [the reader's zone, the moment, their day]
    ['Pacific/Kiritimati', '2029-01-31T10:00:00.000Z', '2029-02-01'],
    ['Pacific/Pago_Pago', '2029-02-01T10:59:59.999Z', '2029-01-31'],
    ['America/New_York', '2029-03-11T06:59:59.999Z', '2029-03-11'],
    ['America/New_York', '2029-11-04T05:30:00.000Z', '2029-11-04'],
    ['Europe/Berlin', '2029-10-27T22:00:00.000Z', '2029-10-28'],
  ])('both sides read their own days and the same month: %s at %s', async (zone, moment, day) => {
    clock.set(moment);
    const { ada, rae, product } = await partners({ rate: 20, price: 10 });
    for (const person of [ada, rae])
      expect((await authed(person, 'PUT', '/api/account/settings', { time_zone: zone })).status).toBe(200);
    await sell(ada, product, 1);
    const { body } = await authed(ada, 'GET', `/api/analytics?startDate=${day}&endDate=${day}`);
    expect([body.totals.redemptions, body.dailyRevenue]).toEqual([1, { [day]: 10 }]);
    const shopDays = () =>
      server.db.query('select day::text, redemptions from partner_days where developer_id = $1', [ada.id]);
    await expect.poll(shopDays, { timeout: 20_000 }).toEqual([{ day, redemptions: 1 }]);
    const month = moment.slice(0, 7);
    clock.set(new Date(Date.parse(`${month}-01T00:00:00Z`) + 32 * 86_400_000));
    await close();
    const rows = await Promise.all([payoutsOf(ada), payoutsOf(rae)]);
    expect(rows[0]).toEqual(rows[1]);
    expect(rows[0]).toMatchObject([{ month, period_start: `${month}-01T00:00:00.000Z`, total_redemptions: 1 }]);
  });
});
