import { call, makeSerials, type Person, redeem } from '@tonerow/test-support/http.ts';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { DAY, MINUTE, TestClock } from '#platform/clock.ts';
import { refusalWebhooksJob } from '../../licensing/refusals/refusal-webhooks.ts';
import { catalog, type EventType } from './catalog.ts';

let server: TestServer;
let ada: Person;
let rae: Person;
let product: { id: string };
let partnershipId: string;
let clock: TestClock;
const scene = payoutScene(() => ({ server, clock }));

beforeAll(async () => {
  clock = new TestClock('2026-04-10T12:00:00Z');
  server = await startServer({ overrides: { clock }, env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  ({ ada, rae, product, partnershipId } = await scene.partners({ rate: 20, price: 50 }));
  for (const { token } of [ada, rae]) await addDisabledEndpoint(token, ['*']);
});

/** An endpoint to which nothing gets: what is recorded for it is what counts here. */
async function addDisabledEndpoint(token: string, events: string[]): Promise<void> {
  const body = { url: 'http://127.0.0.1:9999/', events };
  const { webhook } = (await call(server, 'POST', '/api/webhooks', { token, body })).body;
  await call(server, 'PATCH', `/api/webhooks/${webhook.id}`, { token, body: { enabled: false } });
}
const recorded = async (type: EventType, person = ada) =>
  (
    await server.db.query<{ data: string; personal: string | null }>(
      'select data, personal from webhook_events where developer_id = $1 and type = $2 order by xid, id',
      [person.id, type],
    )
  ).map(({ data, personal }) => {
    const event = JSON.parse(data);
    // it is stored as the contract shows it
    z.decode(catalog[type].data, { ...event, ...JSON.parse(personal ?? '{}') });
    return { ...event, ...(personal ? { personal: JSON.parse(personal) } : {}) };
  });
const pluginKey = async () =>
  (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext as string;
const license = (action: string, token: string, body: object) =>
  call(server, 'POST', `/api/license/v1/${action}`, { token, body });

it('a customer is told of when new, with the name kept apart, and once for two redemptions at once', async () => {
  const serials = await makeSerials(server, ada.token, product.id, { quantity: 3 });
  await Promise.all(serials.map(({ code }) => redeem(server, code, 'nina@example.com', ada.id)));
  const [customer] = await server.db.query<{ id: string }>('select id from customers where developer_id = $1', [
    ada.id,
  ]);
  expect(await recorded('customer.created')).toEqual([
    {
      customer_id: customer?.id,
      personal: { email: 'nina@example.com', first_name: 'Nina', last_name: 'Simone' },
    },
  ]);
});

it('low stock is told to the developer, and to the reseller its own', async () => {
  const set = await call(server, 'PATCH', `/api/reseller/developer/resellers/${partnershipId}`, {
    token: ada.token,
    body: { low_stock_threshold: 3 },
  });
  expect(set.status, set.text).toBe(200);
  await scene.sell(ada, product, 4);
  const about = { product_id: product.id, developer_id: ada.id };
  const own = { ...about, partnership_id: partnershipId, available: 2, threshold: 3 };
  expect(await recorded('stock.low')).toMatchObject([{ ...about, partnership_id: null, available: 3 }, own]);
  expect(await recorded('stock.low', rae)).toMatchObject([own]);
});

it('a deal that a reseller asks for is told to both sides', async () => {
  const body = { product_id: product.id, price: 29, quantity: 5 };
  const asked = await call(server, 'POST', '/api/reseller/deal-requests', { token: rae.token, body });
  expect(asked.status, asked.text).toBe(201);
  for (const person of [ada, rae])
    expect(await recorded('deal.requested', person)).toMatchObject([
      { request_id: asked.body.id, developer_id: ada.id, partnership_id: partnershipId, ...body },
    ]);
});

it('a statement is told to both sides when it is made, confirmed and paid', async () => {
  await scene.sell(ada, product, 2);
  clock.set(new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1, 2)));
  await scene.close();
  const [payout] = await scene.payoutsOf(ada);
  expect((await scene.post(rae, `/${payout.id}/confirm`)).status).toBe(200);
  expect((await scene.post(ada, `/${payout.id}/mark-paid`, { amount: 30 })).status).toBe(200);
  const statement = { payout_id: payout.id, developer_id: ada.id, partnership_id: partnershipId, due: 80 };
  for (const person of [ada, rae]) {
    expect(await recorded('payout.created', person)).toMatchObject([statement]);
    expect(await recorded('payout.confirmed', person)).toMatchObject([statement]);
    expect(await recorded('payout.paid', person)).toMatchObject([{ ...statement, amount: 30, outstanding: 50 }]);
  }
});

it('the plan’s use is told at 80 and at 100 percent, once each', async () => {
  await scene.sell(ada, product, 1);
  const month = `${clock.now().toISOString().slice(0, 7)}-01`;
  const plans: { slug: string; redemption_quota: number }[] = (await call(server, 'GET', '/api/plans')).body;
  const quota = plans.find(({ slug }) => slug === 'pro')?.redemption_quota as number;
  for (const percent of [80, 100]) {
    await server.db.query('update usage_months set redemptions = $3 where developer_id = $1 and month = $2', [
      ada.id,
      month,
      (quota * percent) / 100 - 1,
    ]);
    await scene.sell(ada, product, 1);
    await expect
      .poll(async () => (await recorded('plan.usage')).map((event) => event.percent), { timeout: 10_000 })
      .toEqual([80, 100].filter((each) => each <= percent));
  }
  expect((await recorded('plan.usage'))[0]).toMatchObject({ plan: 'pro', month, redemption_quota: quota });
});

it('an import is told of when it has ended, well or badly, and a dry run is not', async () => {
  const send = (csv: string, query = '') => {
    const form = new FormData();
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'customers.csv');
    return call(server, 'POST', `/api/customers/import/${query}`, { token: ada.token, body: form });
  };
  await send('Email\nnina@example.com\nnobody\n', '?dry_run=true');
  await send('Email\nnina@example.com\nnobody\n');
  await send('nothing,of,use\n1,2,3\n');
  expect(await recorded('import.finished')).toMatchObject([
    { kind: 'customers', state: 'complete', added: 1, rejected: 1 },
    { kind: 'customers', state: 'failed', added: 0 },
  ]);
  // one event for them all
  expect(await recorded('customer.created')).toEqual([]);
});

it('refused calls are told once for a minute, however many they are, to those who ask for them by name', async () => {
  const key = await pluginKey();
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const refuse = (n: number) => license('validate', key, { license_key: serial?.code, machine_id: `machine-${n}` });
  const written = async () =>
    (
      await server.db.query<{ n: number }>(
        'select coalesce(sum(count), 0)::int as n from license_refusals where developer_id = $1',
        [ada.id],
      )
    )[0]?.n;
  const runs = (states: string[]) =>
    server.db.query('select 1 from pgboss.job where name = $1 and state::text = any($2)', [
      refusalWebhooksJob.name,
      states,
    ]);
  const runJob = async () => {
    await queueJob(server.db, refusalWebhooksJob.name);
    await expect.poll(() => runs(['created', 'retry', 'active']), { timeout: 10_000 }).toEqual([]);
    expect(await runs(['failed'])).toEqual([]);
  };
  const began = new Date(Math.floor(clock.now().getTime() / MINUTE + 1) * MINUTE);
  clock.set(began);
  for (let n = 0; n < 25; n += 1) await refuse(n);
  await expect.poll(written, { timeout: 10_000 }).toBe(25);
  clock.set(new Date(began.getTime() + 2 * MINUTE));
  await runJob();
  // an endpoint for everything does not ask for these
  expect(await recorded('license.refused')).toEqual([]);
  await addDisabledEndpoint(ada.token, ['license.refused']);
  await runJob();
  await runJob();
  const [event, ...more] = await recorded('license.refused');
  expect(more).toEqual([]);
  expect(event).toMatchObject({ count: 25, from: began.toISOString() });
  expect(event.refusals).toEqual([
    { serial_id: serial?.id, product_id: product.id, action: 'validate', status: expect.any(String), count: 25 },
  ]);
});

it('a lease that ends is told of, once, with its machine', async () => {
  const key = await pluginKey();
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const form = { license_key: serial?.code, machine_file: '{"machine_id":"stage-laptop"}', email: 'jo@example.com' };
  const answer = await license('offline', key, form);
  expect(answer.status, answer.text).toBe(200);
  const [seat] = await server.db.query<{ until: Date }>(
    'select leased_until as until from activations where serial_id = $1',
    [serial?.id],
  );
  clock.advance(400 * DAY);
  const free = () => scene.beside((deps) => deps.offline.freeEnded());
  expect(await free()).toBeGreaterThan(0);
  await free();
  expect(await recorded('lease.ended')).toEqual([
    { serial_id: serial?.id, product_id: product.id, machine: 'stage-la', ended_at: seat?.until.toISOString() },
  ]);
});
