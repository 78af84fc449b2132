import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { HOUR, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
let other: { id: string };
let serial: { id: string; code: string };
let customerId: string;
let made = 0;

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  other = await makeProduct(server, ada.token, { name: 'Reverb' });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
});
afterAll(() => server.stop());

beforeEach(async () => {
  made += 1;
  [serial] = (await makeSerials(server, ada.token, product.id, { quantity: 1 })) as [typeof serial];
  await redeem(server, serial.code, `nina${made}@example.com`, ada.id);
  customerId = (await look()).customer.id;
});

const get = async (path: string) => (await call(server, 'GET', path, { token: ada.token })).body;
const look = () => get(`/api/serials/${serial.id}`);
const lookAtCustomer = () => get(`/api/customers/${customerId}`);
const plugin = (verb: string, body: object) =>
  call(server, 'POST', `/api/license/v1/${verb}`, { token: key, body: { license_key: serial.code, ...body } });
const useUpDownloads = async () => {
  await server.db.query('update serials set download_count = 5 where id = $1', [serial.id]);
  await server.db.query(
    `insert into serial_events (developer_id, id, serial_id, kind, happened_at) values ($1, gen_random_uuid(), $2, 'downloaded', $3)`,
    [ada.id, serial.id, clock.now()],
  );
};
/** Refusals are written a second later. */
const refused = (kinds: string[]) =>
  vi.waitFor(
    async () =>
      expect((await look()).history.filter((each: { kind: string }) => each.kind === 'refused')).toHaveLength(
        kinds.length,
      ),
    { timeout: 15_000, interval: 50 },
  );

it('is in order at a serial, its customer and the list', async () => {
  const inOrder = { code: 'in_order', message: 'Everything is in order', since: null, mends: [], also: [] };
  expect((await look()).standing).toMatchObject({ ...inOrder, serial_id: serial.id, product_name: 'Delay' });
  const customer = await lookAtCustomer();
  expect(customer.standing).toMatchObject({ ...inOrder, serial_id: null });
  expect(customer.serials[0].standing).toEqual({ code: 'in_order', message: 'Everything is in order', since: null });
  const { rows } = await get('/api/serials/redeemed');
  expect(rows[0].standing).toEqual({ code: 'in_order', message: 'Everything is in order', since: null });
});

it('names the used-up downloads with the price of resetting them, until they are reset', async () => {
  expect((await look()).refresh_cost).toBe(0);
  await useUpDownloads();
  const { standing, refresh_cost } = await look();
  expect(refresh_cost).toBe(0.03);
  expect(standing).toMatchObject({
    code: 'download_limit',
    message: 'Download limit reached',
    since: '2026-03-10T12:00:00.000Z',
    mends: [{ action: 'reset_downloads', label: 'Reset downloads', cost: 0.03 }],
  });
  expect((await lookAtCustomer()).standing).toEqual(standing);
  expect((await get('/api/serials/redeemed')).rows[0].standing.code).toBe('download_limit');
  await call(server, 'PATCH', `/api/serials/refresh/${serial.id}`, { token: ada.token });
  expect((await look()).standing.code).toBe('in_order');
  expect((await lookAtCustomer()).standing.code).toBe('in_order');
});

it('names taken seats until one is released', async () => {
  for (const machine_id of ['mac-1', 'mac-2', 'mac-3']) await plugin('activate', { machine_id });
  expect((await look()).standing).toMatchObject({
    code: 'seats_taken',
    message: 'All 3 seats taken',
    mends: [{ action: 'release_machine', cost: 0 }, { action: 'add_seats' }],
  });
  const { machines } = await look();
  await call(server, 'POST', `/api/machines/${machines[0].id}/release`, { token: ada.token });
  expect((await look()).standing.code).toBe('in_order');
});

it('names a revocation before everything else, and the day it was', async () => {
  await useUpDownloads();
  await call(server, 'PATCH', `/api/serials/revoke/${serial.id}`, { token: ada.token });
  const { standing } = await lookAtCustomer();
  expect(standing).toMatchObject({ code: 'revoked', since: '2026-03-10T12:00:00.000Z', also: [] });
  expect(standing.mends).toEqual([{ action: 'reassign', label: 'Reassign', cost: 0 }]);
});

it('shows a refusal in both histories, and forgets it once the machine works', async () => {
  await plugin('validate', { machine_id: 'studio-mac', product_id: other.id });
  await refused(['product_mismatch']);
  expect((await look()).standing).toMatchObject({ code: 'refused', message: 'Refused today: wrong product' });
  expect((await look()).history[0]).toMatchObject({ kind: 'refused', detail: 'product_mismatch', amount: null });
  const customer = await lookAtCustomer();
  expect(customer.standing.message).toBe('Refused today: wrong product');
  expect(customer.activity[0]).toMatchObject({ kind: 'refused', detail: 'product_mismatch', serial_id: serial.id });
  clock.advance(24 * HOUR);
  expect((await look()).standing.message).toBe('Refused yesterday: wrong product');
  await plugin('activate', { machine_id: 'studio-mac', product_id: product.id });
  expect((await look()).standing.code).toBe('in_order');
  expect((await look()).history.map((each: { kind: string }) => each.kind)).toContain('refused');
});

it('comes with the redemption page filled in, for whoever asks', async () => {
  const link = new URL((await look()).redeem_link);
  expect([link.pathname, ...link.searchParams]).toEqual([
    '/redeem',
    ['dev', ada.id],
    ['serial', serial.code],
    ['email', `nina${made}@example.com`],
  ]);
});

it('is nobody else’s to see', async () => {
  const eve = await signUp(server);
  for (const path of [`/api/serials/${serial.id}`, `/api/customers/${customerId}`]) {
    expect((await call(server, 'GET', path, { token: eve.token })).status).toBe(404);
  }
});
