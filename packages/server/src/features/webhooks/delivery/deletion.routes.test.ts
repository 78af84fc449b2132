import { call, PASSWORD, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type Receiver, startReceiver } from '@tonerow/test-support/receiver.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
let receiver: Receiver;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock }, env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const TABLES = ['endpoints', 'events', 'deliveries', 'attempts', 'days'];

const make = (person: Person, fields: object = {}) =>
  call(server, 'POST', '/api/webhooks', {
    token: person.token,
    body: { url: receiver.url, events: ['*'], ...fields },
  });
const send = (person: Person) =>
  call(server, 'POST', '/api/webhook-events', { token: person.token, body: { type: 'webhook.test' } });
/** The workers look at what is due by the clock as it is now. */
const look = () => server.db.query(`select pg_notify('tonerow_live', '{"a":"","type":"webhook_due","data":{}}')`);
/** The tables that hold anything of an account. */
async function held({ id }: Person): Promise<string[]> {
  const found = await Promise.all(
    TABLES.map((name) => server.db.query(`select 1 from webhook_${name} where developer_id = $1`, [id])),
  );
  return TABLES.filter((_, at) => found[at]?.length);
}

it('nothing more is sent of an account that was deleted, and nothing of its events is kept', async () => {
  const [ada, bob] = [await signUpVerified(server), await signUpVerified(server)];
  receiver.answer = 500;
  await make(bob);
  expect((await make(bob, { signature: 'v1a' })).status).toBe(201);
  await call(server, 'POST', '/api/webhook-listeners', { token: bob.token, body: { events: ['*'] } });
  await send(bob);
  const attempts = async () =>
    await server.db.query('select distinct attempts from webhook_deliveries where developer_id = $1', [bob.id]);
  await expect.poll(attempts).toEqual([{ attempts: 1 }]);
  clock.advance(DAY);
  await look();
  await expect.poll(attempts).toEqual([{ attempts: 2 }]);
  const waiting = "select 1 from webhook_deliveries where developer_id = $1 and state = 'waiting'";
  expect(await server.db.query(waiting, [bob.id])).toHaveLength(2);
  expect(await held(bob)).toEqual(TABLES);
  expect(receiver.received).toHaveLength(4);

  const gone = await call(server, 'DELETE', '/api/account/delete', { token: bob.token, body: { password: PASSWORD } });
  expect(gone.status, gone.text).toBe(200);
  clock.advance(DAY);
  await look();
  await expect.poll(() => held(bob), { timeout: 20_000 }).toEqual([]);
  // earlier signatures can still be verified, and nothing more can be signed
  expect(
    await server.db.query('select length(private_key) as bytes, retired_at from webhook_keys where developer_id = $1', [
      bob.id,
    ]),
  ).toEqual([{ bytes: 0, retired_at: expect.any(Date) }]);

  receiver.answer = 204;
  await make(ada);
  const { body } = await send(ada);
  await receiver.wait(5);
  expect(receiver.received.slice(4).map(({ headers }) => headers['webhook-id'])).toEqual([body.event_id]);
});
