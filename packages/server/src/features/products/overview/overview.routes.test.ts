import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { stockPace } from './stock-pace.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
});
afterAll(() => server.stop());

const overview = (id: string, token = ada.token) => call(server, 'GET', `/api/products/${id}/overview`, { token });

it('knows what a product sold today, in 30 days and ever, each beside the time before, and how long its stock lasts', async () => {
  const [delay, other] = [
    await makeProduct(server, ada.token, { price: 30 }),
    await makeProduct(server, ada.token, { price: 7 }),
  ];
  const serials = await makeSerials(server, ada.token, delay.id, { quantity: 10 });
  const [elsewhere] = await makeSerials(server, ada.token, other.id, { quantity: 1 });
  const now = clock.now();
  const sell = async (daysAgo: number, index: number) => {
    clock.set(new Date(now.getTime() - daysAgo * DAY).toISOString());
    expect((await redeem(server, serials[index]?.code as string, `a${index}@example.com`, ada.id)).status).toBe(200);
  };
  for (const [index, daysAgo] of [90, 59, 30, 29, 1, 0].entries()) await sell(daysAgo, index);
  clock.set(now.toISOString());
  await redeem(server, elsewhere?.code as string, 'b@example.com', ada.id);
  const refund = { token: ada.token, body: { amount: 10, reason: 'wish' } };
  const refunded = await call(server, 'POST', `/api/serials/${serials[5]?.id}/refund`, refund);
  expect(refunded.status, refunded.text).toBeLessThan(300);
  const { body } = await overview(delay.id);
  expect(body).toMatchObject({
    id: delay.id,
    name: delay.name,
    is_draft: false,
    sales: {
      today: { redemptions: 1, revenue: 20, previous: { redemptions: 1, revenue: 30 } },
      last_30_days: { redemptions: 3, revenue: 80, previous: { redemptions: 2, revenue: 60 } },
      all: { redemptions: 6, revenue: 170 },
    },
    stock: { available: 4, per_day: 0.1, days_left: 40 },
    files: [],
    plugin_keys: [],
    refusals: [],
    time_zone: 'UTC',
  });
});

it('lists the machines by version, the keys that still work, and refusals by reason beyond the week they are kept', async () => {
  const product = await makeProduct(server, ada.token);
  const make = (body: object) => call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body });
  const [key, off] = [(await make({ label: 'Release' })).body, (await make({ label: 'Old' })).body];
  await call(server, 'PATCH', `/api/developer/plugin-keys/${off.key.id}`, {
    token: ada.token,
    body: { is_active: false },
  });
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  const ask = (verb: string, machine_id: string, fields: object = {}) =>
    call(server, 'POST', `/api/license/v1/${verb}`, {
      token: key.plaintext,
      body: { license_key: serial?.code, machine_id, version: '2.1', email: 'n@example.com', ...fields },
    });
  await ask('validate', 'early');
  await ask('validate', 'early');
  await ask('activate', 'mac');
  const refused = { status: 'not_activated', count: 2 };
  await vi.waitFor(async () => expect((await overview(product.id)).body.refusals).toEqual([refused]), {
    timeout: 15_000,
    interval: 50,
  });
  const { body } = await overview(product.id);
  expect(body.machines).toEqual({
    active: 1,
    total: 1,
    versions: [{ version: '2.1', count: 1, systems: [{ os: null, count: 1 }] }],
  });
  expect(body.plugin_keys.map((one: { label: string }) => one.label)).toEqual(['Release']);
  const later = new Date(clock.now().getTime() + 29 * DAY);
  clock.set(later.toISOString());
  await server.db.query('delete from license_refusals');
  expect((await overview(product.id)).body.refusals).toEqual([refused]);
  clock.set(new Date(later.getTime() + DAY).toISOString());
  expect((await overview(product.id)).body.refusals).toEqual([]);
});

it('gives the size of a stored file, and neither size nor date of one that is kept elsewhere', async () => {
  const stored = await call(server, 'POST', '/api/files', { token: ada.token, body: { name: 'a.zip', size: 3 } });
  await fetch(`${server.url}/api/files/${stored.body.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${ada.token}`, 'upload-offset': '0', 'content-type': 'application/octet-stream' },
    body: 'abc',
  });
  const file_urls = [
    { name: 'Mac', url: stored.body.url },
    { name: 'Manual', url: 'https://example.com/manual.pdf' },
  ];
  const product = await makeProduct(server, ada.token, { file_urls });
  expect((await overview(product.id)).body.files).toEqual([
    { ...file_urls[0], file_id: stored.body.id, size: 3, uploaded_at: clock.now().toISOString() },
    { ...file_urls[1], file_id: null, size: null, uploaded_at: null },
  ]);
});

it('is not found for somebody else, and for a product that is gone', async () => {
  const product = await makeProduct(server, ada.token);
  const stranger = await signUp(server);
  expect((await overview(product.id, stranger.token)).status).toBe(404);
  await call(server, 'DELETE', `/api/products/${product.id}`, { token: ada.token });
  expect((await overview(product.id)).status).toBe(404);
});

it('counts the days that a stock lasts from the sales themselves', () => {
  expect(stockPace(10, 0)).toEqual({ per_day: 0, days_left: null });
  expect(stockPace(0, 30)).toEqual({ per_day: 1, days_left: 0 });
  expect(stockPace(7, 45)).toEqual({ per_day: 1.5, days_left: 4 });
});
