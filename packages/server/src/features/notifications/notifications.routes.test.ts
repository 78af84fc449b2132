import {
  call,
  makeProduct,
  makeSerials,
  PASSWORD,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { notificationOf } from './notification-of.ts';
import { Notifications } from './notifications.service.ts';
import { tables } from './tables.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Scarce' });
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  clock.set('2026-03-10T12:05:00Z');
  const csv = new FormData();
  csv.set('file', new Blob(['email,first_name,last_name\nmara@example.com,Mara,L\n']), 'people.csv');
  const imported = await call(server, 'POST', '/api/customers/import', { token: ada.token, body: csv });
  expect(imported.status, imported.text).toBeLessThan(300);
});
afterAll(() => server.stop());

const list = async (query = '', token = ada.token) =>
  (await call(server, 'GET', `/api/notifications${query}`, { token })).body;
const read = (until: string, token = ada.token) =>
  call(server, 'POST', '/api/notifications/read', { token, body: { until } });

it('keeps what the bell showed, newest first, by kind and page by page, and no redemption', async () => {
  const { rows, pending, unread, next_cursor } = await list();
  expect([pending, unread, next_cursor]).toEqual([0, 2, null]);
  expect(rows).toMatchObject([
    { kind: 'import', title: 'Import complete', detail: '1 customer imported', read: false },
    {
      kind: 'low_serials',
      title: 'Scarce is running low',
      detail: 'No serials left',
      object_id: product.id,
      at: '2026-03-10T12:00:00.000Z',
    },
  ]);
  const first = await list('?limit=1');
  expect((await list(`?limit=1&cursor=${first.next_cursor}`)).rows[0].kind).toBe('low_serials');
  expect((await list('?kind=low_serials')).rows).toHaveLength(1);
  expect((await call(server, 'GET', '/api/notifications?kind=else', { token: ada.token })).status).toBe(400);
});

it('marks a notice and all before it, never makes one unread again, and takes nobody else’s notice', async () => {
  const [newest, oldest] = (await list()).rows;
  const stranger = await signUp(server);
  expect((await list('', stranger.token)).rows).toEqual([]);
  expect((await read(newest.id, stranger.token)).status).toBe(404);
  expect((await read(oldest.id)).status).toBe(200);
  expect((await list()).rows.map((row: { read: boolean }) => row.read)).toEqual([false, true]);
  expect((await list('?unread=true')).rows.map((row: { id: string }) => row.id)).toEqual([newest.id]);
  await Promise.all([read(newest.id), read(oldest.id), read(oldest.id)]);
  expect(await list('?unread=true')).toMatchObject({ rows: [], unread: 0 });
});

it('counts what waits for each partner as the lists under the bell do, until it is done, read or not', async () => {
  const { developer, reseller, partnershipId } = await makePartners(server);
  const sold = await makeProduct(server, developer.token);
  const counts = async ({ token }: Person) => {
    const { pending, unread } = await list('', token);
    return [pending, unread];
  };
  const post = async ({ token }: Person, path: string, body: object) => {
    const answer = await call(server, 'POST', path, { token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  expect([await counts(developer), await counts(reseller)]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  const deal = { product_id: sold.id, price: 19, quantity: 5 };
  const asked = await post(reseller, '/api/reseller/deal-requests', deal);
  expect([await counts(developer), await counts(reseller)]).toEqual([
    [1, 0],
    [0, 0],
  ]);
  const other = await signUpVerified(server, 'reseller');
  await post(other, '/api/reseller/invite-developer', { email: developer.email });
  await expect.poll(() => counts(developer)).toEqual([2, 0]);

  await post(developer, `/api/reseller/developer/deal-requests/${asked.id}/decline`, { reason: 'Too few.' });
  expect([await counts(developer), await counts(reseller)]).toEqual([
    [1, 0],
    [1, 0],
  ]);
  await post(reseller, '/api/reseller/deal-requests/seen', {});
  expect(await counts(reseller)).toEqual([0, 0]);
  const invites = await call(server, 'GET', '/api/reseller/invites/developer', { token: developer.token });
  await post(developer, '/api/reseller/invites/respond', { invite_id: invites.body[0].id, response: 'reject' });
  expect(await counts(developer)).toEqual([0, 0]);
  // an answer of a partner who is none any more is not listed, and not counted
  await post(reseller, '/api/reseller/deal-requests', deal);
  expect(await counts(developer)).toEqual([1, 0]);
  await post(developer, `/api/reseller/developer/resellers/${partnershipId}/end`, {});
  expect(await counts(developer)).toEqual([0, 0]);
});

it('goes with the account, and after half a year', async () => {
  const person = await signUp(server);
  const own = await makeProduct(server, person.token);
  const [serial] = await makeSerials(server, person.token, own.id, { quantity: 1 });
  await redeem(server, serial?.code as string, 'a@example.com', person.id);
  const { rows } = await list('', person.token);
  expect(rows).toHaveLength(1);
  await read(rows[0].id, person.token);
  const body = { password: PASSWORD };
  const gone = await call(server, 'DELETE', '/api/account/delete', { token: person.token, body });
  expect(gone.status, gone.text).toBeLessThan(300);
  const left =
    'select account_id from notices where account_id = $1 union all select account_id from notice_marks where account_id = $1';
  expect(await server.db.query(left, [person.id])).toEqual([]);
  const at = (days: number) =>
    new Notifications({
      db: tables.of(server.db as never),
      clock: new TestClock(new Date(clock.now().getTime() + days * DAY)),
      pending: async () => 0,
    });
  await at(179).expire();
  expect((await list()).rows).toHaveLength(2);
  await at(181).expire();
  expect((await list()).rows).toEqual([]);
});

it('has words for each kind, and none for what lists hold anyhow', () => {
  expect(notificationOf({ type: 'redemption', data: {} })).toBeNull();
  expect(notificationOf({ type: 'usage', data: { kind: 'plan_switched' } })).toBeNull();
  expect(notificationOf({ type: 'card', data: { what: 'changed' } })).toBeNull();
  expect(notificationOf({ type: 'import', data: { state: 'running', dry_run: false } })).toBeNull();
  const of = (type: string, data: object) => notificationOf({ type, data })?.title;
  expect(of('usage', { kind: 'redemption_refused', redemptions: 50, redemption_quota: 50 })).toBe(
    'A customer could not redeem a serial',
  );
  expect(of('billing', { what: 'failed', id: 'x', month: '2026-03', amount_cents: 1250 })).toBe(
    'Your payment for March 2026 did not go through',
  );
  expect(of('card', { what: 'expiring', last4: '4242', exp_month: 4, exp_year: 2026 })).toBe(
    'Your card ending in 4242 expires soon',
  );
  expect(
    notificationOf({ type: 'webhook_failing', data: { endpoint_id: 'x', host: 'hooks.example.com', disabled: true } }),
  ).toMatchObject({
    title: 'A webhook was switched off',
    detail: 'hooks.example.com',
  });
  const data = { payout_id: 'x', number: '2026-0007', month: '2026-03', title: 'Plugs confirmed statement 2026-0007' };
  expect(notificationOf({ type: 'payout', data })).toEqual({
    kind: 'payout',
    title: 'Plugs confirmed statement 2026-0007',
    detail: 'For March 2026',
    objectId: 'x',
  });
});
