import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type Receiver, startReceiver } from '@tonerow/test-support/receiver.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR, TestClock } from '#platform/clock.ts';
import { OFF_AFTER } from './endpoint-health.ts';

let server: TestServer;
let receiver: Receiver;
let ada: Person;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock }, env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  receiver.answer = 500;
  ada = await signUpVerified(server);
});
afterEach(() => receiver.stop());

const make = async () => {
  const body = { url: receiver.url, events: ['*'] };
  return (await call(server, 'POST', '/api/webhooks', { token: ada.token, body })).body.webhook.id as string;
};
const endpoint = async (id: string) => (await call(server, 'GET', `/api/webhooks/${id}`, { token: ada.token })).body;
const failed = (id: string, first: Date, span: number) =>
  server.db.query(
    'update webhook_endpoints set first_failure_at = $2, last_failure_at = $3, warned = 3 where id = $1',
    [id, first, new Date(first.getTime() + span)],
  );

/** Has all endpoints looked at, as one more of them fails, since an hour ago. */
async function look(): Promise<string> {
  const id = await make();
  await server.db.query(
    'update webhook_endpoints set first_failure_at = $2, last_failure_at = $2, warned = 0 where id = $1',
    [id, new Date(clock.now().getTime() - HOUR)],
  );
  const sent = await call(server, 'POST', `/api/webhooks/${id}/test`, { token: ada.token, body: {} });
  expect(sent.status, sent.text).toBe(201);
  const warned = 'select warned from webhook_endpoints where id = $1';
  await expect.poll(() => server.db.query(warned, [id])).toEqual([{ warned: 1 }]);
  return id;
}

it('an account that wants no email about failing webhooks gets none, and is told live and by the bell all the same', async () => {
  const heard: string[] = [];
  const listener = new pg.Client({ connectionString: server.db.url });
  await listener.connect();
  onTestFinished(() => listener.end());
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
  await listener.query('listen tonerow_live');
  const emails = async () =>
    (
      await server.db.query<{ text: string }>('select data::text as text from pgboss.job where data::text like $1', [
        `%${ada.email}%`,
      ])
    ).filter(({ text }) => text.includes(' is failing"'));
  const kept = async () =>
    (await call(server, 'GET', '/api/notifications?kind=webhook', { token: ada.token })).body.rows;
  const set = (notify_webhook_fail: boolean) =>
    call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { notify_webhook_fail } });
  expect((await set(false)).status).toBe(200);
  const quiet = await look();
  // queued in the transaction that noted the warning
  expect(await emails()).toEqual([]);
  expect(await kept()).toMatchObject([{ title: 'A webhook fails', object_id: quiet }]);
  await expect
    .poll(() => heard.filter((text) => text.includes('webhook_failing') && text.includes(quiet)))
    .toHaveLength(1);
  expect((await set(true)).status).toBe(200);
  await look();
  expect(await emails()).toHaveLength(1);
  expect(await kept()).toHaveLength(2);
});

it('a webhook whose failures lie less than twelve hours apart stays on, however long ago they were', async () => {
  const first = new Date(clock.now().getTime() - OFF_AFTER - DAY);
  const [once, soon, long] = [await make(), await make(), await make()];
  await failed(once, first, 0);
  await failed(soon, first, 12 * HOUR - 1);
  await failed(long, first, 12 * HOUR);
  await look();
  for (const id of [once, soon]) expect(await endpoint(id)).toMatchObject({ enabled: true, disabled_reason: null });
  expect(await endpoint(long)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
});
