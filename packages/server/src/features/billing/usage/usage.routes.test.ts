import { beside } from '@tonerow/test-support/beside.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { switchPlan } from '#features/plans';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-04-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const get = async (person: Person, path: string, accept?: string) =>
  call(server, 'GET', `/api/billing/${path}`, { token: person.token, ...(accept ? { headers: { accept } } : {}) });

/** Counts redemptions that nobody made, so that a test need not make them. */
async function useUp(ada: Person, day: string, redemptions: number) {
  await server.db.query(
    `insert into usage_months (developer_id, month, redemptions) values ($1, date_trunc('month', $2::date), $3)
     on conflict (developer_id, month) do update set redemptions = usage_months.redemptions + excluded.redemptions`,
    [ada.id, day, redemptions],
  );
  await server.db.query('insert into usage_days (developer_id, day, redemptions) values ($1, $2, $3)', [
    ada.id,
    day,
    redemptions,
  ]);
}

async function seller(plan: 'free' | 'creator' | 'pro' = 'free') {
  const ada = await signUp(server);
  if (plan !== 'free') await setPlan(server.db, { plan, accountId: ada.id, at: clock.now() });
  const product = await makeProduct(server, ada.token);
  const serials = await makeSerials(server, ada.token, product.id, { quantity: 10 });
  const sell = async (count: number) => {
    for (const { code } of serials.splice(0, count)) await redeem(server, code, 'a@example.com', ada.id);
  };
  const refresh = async () => {
    const { id } = serials[0] as { id: string };
    await server.db.query('update serials set download_count = 1 where id = $1', [id]);
    await call(server, 'PATCH', `/api/serials/refresh/${id}`, { token: ada.token });
  };
  return { ada, sell, refresh };
}

describe('the running month', () => {
  it('of a new account is on Starter, unused and free', async () => {
    const ada = await signUp(server);
    expect((await get(ada, 'usage/current')).body).toEqual({
      month: '2026-04',
      plan: 'free',
      label: 'Starter (Free)',
      free: 50,
      used: 0,
      unitPrice: 0,
      blockAtCap: true,
      capped: false,
      overage_redemptions: 0,
      overage_cost: 0,
      subscription_fee: 0,
      refresh_count: 0,
      refresh_cost: 0,
      estimated_total: 0,
      closes_at: '2026-05-01T00:00:00.000Z',
    });
    expect((await get(ada, 'history')).body).toEqual([]);
    expect((await get(ada, 'summary')).body).toMatchObject({
      startDate: '2026-03-12',
      endDate: '2026-04-10',
      total: 0,
    });
  });

  it('is capped at the limit on Starter', async () => {
    const { ada, sell } = await seller();
    await useUp(ada, '2026-04-09', 49);
    await sell(2);
    expect((await get(ada, 'usage/current')).body).toMatchObject({ used: 50, free: 50, capped: true, overage_cost: 0 });
  });

  it('adds fee, overage and refreshes to the estimated total', async () => {
    const { ada, sell, refresh } = await seller('pro');
    await useUp(ada, '2026-04-09', 249);
    await sell(4);
    await refresh();
    expect((await get(ada, 'usage/current')).body).toMatchObject({
      label: 'Pro',
      used: 253,
      free: 250,
      unitPrice: 0.04,
      blockAtCap: false,
      overage_redemptions: 3,
      overage_cost: 0.12,
      subscription_fee: 10,
      refresh_count: 1,
      refresh_cost: 0.04,
      estimated_total: 10.16,
    });
  });
});

describe('current, summary, graph, history and their CSVs', () => {
  it('have the same sums, also when the plan was switched in the month', async () => {
    const { ada, sell, refresh } = await seller('creator');
    await useUp(ada, '2026-04-08', 99);
    await sell(3);
    await refresh();
    await beside({ server, clock }, (deps) =>
      deps.db.work({ tx: true }, (tx) => switchPlan(tx, deps, { developerId: ada.id, plan: 'pro', by: ada.id })),
    );
    await sell(2);
    await refresh();
    const [current, summary, graph, history] = await Promise.all(
      [
        'usage/current',
        'summary?startDate=2026-04-01&endDate=2026-04-30',
        'graph?startDate=2026-04-01&endDate=2026-04-30',
        'history',
      ].map(async (path) => (await get(ada, path)).body),
    );
    expect(history).toEqual([
      {
        month: '2026-04',
        plan: 'pro',
        label: 'Pro',
        redemptions: 104,
        overage_redemptions: 2,
        redemption_cost: 0.1,
        avg_price_per_redemption: 0.001,
        refresh_count: 2,
        refresh_cost: 0.09,
        subscription_fee: 10,
        total: 10.19,
        closed: false,
        invoice: null,
      },
    ]);
    expect(current).toMatchObject({ used: 104, overage_cost: 0.1, refresh_cost: 0.09, estimated_total: 10.19 });
    expect(summary).toMatchObject({ redemptions: 104, redemption_cost: 0.1, refresh_cost: 0.09, total: 0.19 });
    expect(graph).toHaveLength(30);
    expect(graph[8]).toEqual({ date: '2026-04-09', redemptions: 0, cost: 0, refresh_count: 0, refresh_cost: 0 });
    expect(graph[9]).toEqual({ date: '2026-04-10', redemptions: 5, cost: 0.1, refresh_count: 2, refresh_cost: 0.09 });
    const days = await get(ada, 'graph?startDate=2026-04-09&endDate=2026-04-10', 'text/csv');
    expect(days.text).toBe(
      'Date (UTC),Redemptions,Cost (USD),Refresh Count,Refresh Cost (USD)\r\n2026-04-09,0,0.00,0,0.00\r\n2026-04-10,5,0.10,2,0.09\r\n',
    );
    const months = await get(ada, 'history', 'text/csv');
    expect(months.text.split('\r\n')[1]).toBe('2026-04,Pro,104,2,0.10,0.001,2,0.09,10.00,10.19,no');
  });

  it('take days that exist, in their order, and at most ten years', async () => {
    const ada = await signUp(server);
    for (const period of [
      'startDate=2026-02-30&endDate=2026-03-01',
      'startDate=2026-03-02&endDate=2026-03-01',
      'startDate=2010-01-01&endDate=2026-03-01',
      'startDate=today&endDate=2026-03-01',
    ]) {
      expect((await get(ada, `graph?${period}`)).status, period).toBe(400);
      expect((await get(ada, `summary?${period}`)).status, period).toBe(400);
    }
    expect((await get(ada, 'graph', 'application/x-ndjson')).status).toBe(406);
  });

  it('are each developer’s own, and no reseller’s', async () => {
    const { ada, sell } = await seller();
    await sell(1);
    const eve = await signUp(server);
    expect((await get(eve, 'history')).body).toEqual([]);
    expect((await get(ada, 'history')).body).toHaveLength(1);
    const shop = await signUp(server, 'reseller');
    expect((await get(shop, 'usage/current')).status).toBe(403);
  });
});

it('shows months with a fee in which nothing was redeemed, and none in which nothing happened', async () => {
  const { ada, sell } = await seller();
  await sell(1);
  clock.set(new Date('2026-05-02T12:00:00Z'));
  const signedIn = await call(server, 'POST', '/api/auth/login', {
    body: { email: ada.email, password: 'a fine long password' },
  });
  ada.token = signedIn.body.token;
  const months = async () =>
    (await get(ada, 'history')).body.map((row: { month: string; total: number }) => [row.month, row.total]);
  expect(await months()).toEqual([['2026-04', 0]]);
  await beside({ server, clock }, (deps) =>
    deps.db.work({ tx: true }, (tx) => switchPlan(tx, deps, { developerId: ada.id, plan: 'elite', by: ada.id })),
  );
  expect(await months()).toEqual([
    ['2026-05', 20],
    ['2026-04', 0],
  ]);
});
