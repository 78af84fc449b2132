import { beside } from '@tonerow/test-support/beside.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { feeOf, planMonths } from './fees.ts';
import type { Plan } from './plans.ts';
import { switchPlan } from './switch-plan.ts';

let server: TestServer;
const clock = new TestClock('2026-05-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

type Slug = Plan['slug'];

async function developer(plan: Slug, used: number, quantity: number) {
  const ada = await signUp(server);
  if (plan !== 'free') await setPlan(server.db, { plan, accountId: ada.id });
  const product = await makeProduct(server, ada.token);
  const serials = await makeSerials(server, ada.token, product.id, { quantity });
  if (used > 0) await useUp(ada, used);
  const next = () => redeem(server, serials.pop()?.code as string, 'a@example.com', ada.id);
  return { ada, serials, next };
}

/** Counts redemptions that nobody made, so that a test need not make them. */
async function useUp(ada: Person, redemptions: number) {
  const values = [ada.id, clock.now().toISOString().slice(0, 10), redemptions];
  await server.db.query(
    `insert into usage_months (developer_id, month, redemptions) values ($1, date_trunc('month', $2::date), $3)
     on conflict (developer_id, month) do update set redemptions = excluded.redemptions`,
    values,
  );
  await server.db.query('insert into usage_days (developer_id, day, redemptions) values ($1, $2, $3)', values);
}

const switchTo = (ada: Person, plan: Slug) =>
  beside({ server, clock }, (deps) =>
    deps.db.work({ tx: true }, (tx) => switchPlan(tx, deps, { developerId: ada.id, plan, by: ada.id })),
  );

async function month(ada: Person) {
  const rows = await server.db.query(
    `select month::text, redemptions, overage_redemptions as over, overage_cents as cents, refresh_count as refreshes, refresh_cents
     from usage_months where developer_id = $1 order by month`,
    [ada.id],
  );
  return rows.at(-1);
}

const prices = async (ada: Person) =>
  (
    await server.db.query<{ usage_cents: number }>(
      'select usage_cents from redemptions where developer_id = $1 order by redeemed_at, id',
      [ada.id],
    )
  ).map(({ usage_cents }) => usage_cents);

const sum = (cents: number[]) => cents.reduce((total, each) => total + each, 0);

describe('redemptions', () => {
  it('at once, 51 on the last 50 of Starter: the quota is never overshot, and costs nothing', async () => {
    const { ada, serials } = await developer('free', 0, 51);
    const answers = await Promise.all(
      serials.map(({ code }, i) => insist(() => redeem(server, code, `f${i}@example.com`, ada.id))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.code === 'quota_reached')).toHaveLength(1);
    expect(await month(ada)).toMatchObject({ redemptions: 50, over: 0, cents: 0 });
    expect(sum(await prices(ada))).toBe(0);
  });

  it.each([
    { plan: 'creator', quota: 100, cents: 5 },
    { plan: 'pro', quota: 250, cents: 4 },
    { plan: 'elite', quota: 500, cents: 3 },
  ] as const)(
    'on $plan cost $cents cents above $quota, however many arrive at once',
    async ({ plan, quota, cents }) => {
      const { ada, serials } = await developer(plan, quota - 4, 10);
      const answers = await Promise.all(
        serials.map(({ code }, i) => insist(() => redeem(server, code, `f${i}@example.com`, ada.id))),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect((await prices(ada)).toSorted()).toEqual([0, 0, 0, 0, cents, cents, cents, cents, cents, cents]);
      expect(await month(ada)).toMatchObject({ redemptions: quota + 6, over: 6, cents: 6 * cents });
    },
  );

  it('cost what the plan at the time charges', async () => {
    const { ada, next } = await developer('creator', 100, 5);
    await next();
    await switchTo(ada, 'pro');
    await next();
    await switchTo(ada, 'creator');
    await next();
    await switchTo(ada, 'free');
    expect((await next()).body.code).toBe('quota_reached');
    expect(await prices(ada)).toEqual([5, 0, 5]);
    const changes = await planMonths(server.db, ada.id);
    expect(changes).toEqual([{ month: '2026-05-01', plans: ['creator', 'free', 'pro'], last: 'free' }]);
    expect(feeOf(changes, '2026-05-01')).toBe(1000);
    expect(await month(ada)).toMatchObject({ redemptions: 103, over: 2, cents: 10 });
  });

  it('that wait for a switch of the plan count by the new one', async () => {
    const { ada, next } = await developer('free', 49, 3);
    expect((await next()).status).toBe(200);
    const busy = await lockWith(server.db, 'select 1 from users where id = $1 for no key update', [ada.id]);
    const switching = switchTo(ada, 'creator');
    await busy.untilWaiting(1);
    const redeeming = next();
    await busy.untilWaiting(2);
    await busy.release();
    expect(await switching).toBe('free');
    expect((await redeeming).status).toBe(200);
  });

  it('that are the first of a month wait for a switch which began in the month before', async () => {
    clock.set(new Date('2026-05-31T23:59:59.999Z'));
    const { ada, next } = await developer('free', 3, 2);
    // an update locks the account on every machine of a cluster
    const busy = await lockWith(server.db, 'update users set plan = plan where id = $1', [ada.id]);
    // it holds May, and waits for the account
    const switching = switchTo(ada, 'pro');
    await busy.untilWaiting(1);
    clock.set(new Date('2026-06-01T00:00:00.000Z'));
    const redeeming = next();
    await busy.untilWaiting(2);
    await busy.release();
    expect(await switching).toBe('free');
    expect((await redeeming).status).toBe(200);
    const [row] = await server.db.query(
      'select u.plan, m.plan as counted_by, redemptions from usage_months m join users u on u.id = m.developer_id where m.developer_id = $1 and month = $2',
      [ada.id, '2026-06-01'],
    );
    expect(row).toEqual({ plan: 'pro', counted_by: 'pro', redemptions: 1 });
  });

  it('keep their sums through switches in the middle of them', async () => {
    clock.set(new Date('2026-07-01T00:00:00.000Z'));
    const { ada, serials } = await developer('creator', 90, 40);
    const slugs: Slug[] = ['pro', 'creator', 'elite', 'creator', 'pro', 'creator'];
    const redeeming = serials.map(({ code }, i) => insist(() => redeem(server, code, `f${i}@example.com`, ada.id)));
    const switching = slugs.map((slug) => switchTo(ada, slug));
    const answers = await Promise.all(redeeming);
    await Promise.all(switching);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const charged = await prices(ada);
    const over = charged.filter((cents) => cents > 0);
    expect(await month(ada)).toMatchObject({ redemptions: 130, over: over.length, cents: sum(charged) });
  });
});

describe('refreshes', () => {
  const refresh = async (ada: Person, id: string) =>
    (await call(server, 'PATCH', `/api/serials/refresh/${id}`, { token: ada.token })).body.refresh_cost;

  const downloaded = (id: string) => server.db.query('update serials set download_count = 3 where id = $1', [id]);

  it('cost the overage price of their moment, and nothing on Starter or for an untouched counter', async () => {
    const { ada, serials } = await developer('free', 0, 1);
    const { id } = serials[0] as { id: string };
    expect(await refresh(ada, id)).toBe(0);
    expect(await month(ada)).toBeUndefined();
    await downloaded(id);
    expect(await refresh(ada, id)).toBe(0);
    await switchTo(ada, 'pro');
    await downloaded(id);
    expect(await refresh(ada, id)).toBe(0.04);
    expect(await refresh(ada, id)).toBe(0);
    await switchTo(ada, 'creator');
    await downloaded(id);
    expect(await refresh(ada, id)).toBe(0.05);
    expect(await month(ada)).toMatchObject({ redemptions: 0, over: 0, cents: 0, refreshes: 3, refresh_cents: 9 });
  });

  it('of one serial at once are charged once', async () => {
    const { ada, serials } = await developer('elite', 0, 1);
    const { id } = serials[0] as { id: string };
    await downloaded(id);
    const costs = await Promise.all(Array.from({ length: 8 }, () => refresh(ada, id)));
    expect(costs.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0.03]);
    expect(await month(ada)).toMatchObject({ refreshes: 1, refresh_cents: 3 });
  });

  it('that wait for the close of their month fall into the next one', async () => {
    clock.set(new Date('2026-08-31T23:59:59.999Z'));
    const { ada, serials } = await developer('pro', 5, 1);
    const { id } = serials[0] as { id: string };
    await downloaded(id);
    const closing = await lockWith(
      server.db,
      "update usage_months set closed_at = '2026-09-01' where developer_id = $1",
      [ada.id],
    );
    const refreshing = refresh(ada, id);
    await closing.untilWaiting(1);
    clock.set(new Date('2026-09-01T00:00:00.000Z'));
    await closing.release('commit');
    expect(await refreshing).toBe(0.04);
    expect(await month(ada)).toMatchObject({ month: '2026-09-01', refreshes: 1, refresh_cents: 4 });
  });
});

it('days, months and the ledger have the same sums', async () => {
  const different = await server.db.query(
    `/* across tenants: a recount */
     with ledger as (
       select developer_id, (at at time zone 'UTC')::date as day, sum(n) as n, sum(cents) as cents, sum(f) as f, sum(f_cents) as f_cents from (
         select developer_id, redeemed_at as at, 1 as n, usage_cents as cents, 0 as f, 0 as f_cents from redemptions where source <> 'import'
         union all select developer_id, refreshed_at, 0, 0, 1, cost_cents from refresh_charges) every_row group by 1, 2
     ), days as (
       select developer_id, date_trunc('month', day)::date as month, sum(redemptions) as n, sum(cost_cents) as cents,
         sum(refresh_count) as f, sum(refresh_cents) as f_cents
       from usage_days group by 1, 2
     )
     select 'month' as kind, m.month::text as at from usage_months m full join days d on (d.developer_id, d.month) = (m.developer_id, m.month)
     where (coalesce(m.redemptions, 0), coalesce(m.overage_cents, 0), coalesce(m.refresh_count, 0), coalesce(m.refresh_cents, 0))
       is distinct from (coalesce(d.n, 0), coalesce(d.cents, 0), coalesce(d.f, 0), coalesce(d.f_cents, 0))
     union all
     select 'day', coalesce(d.day, l.day)::text from usage_days d full join ledger l on (l.developer_id, l.day) = (d.developer_id, d.day)
     where (d.cost_cents, d.refresh_count, d.refresh_cents) is distinct from (coalesce(l.cents, 0), coalesce(l.f, 0), coalesce(l.f_cents, 0))
       and (l.day is not null or d.cost_cents + d.refresh_count + d.refresh_cents > 0)`,
  );
  expect(different).toEqual([]);
});
