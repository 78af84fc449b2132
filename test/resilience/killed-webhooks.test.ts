import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { type Receiver, startReceiver, verifyWith } from '@tonerow/test-support/receiver.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

let db: TestDatabase;
let server: ServerProcess;
let ada: Person;
let receiver: Receiver;
let secret: string;

const start = (role = 'api,worker') =>
  spawnServer({
    env: {
      DATABASE_URL: db.url,
      TONEROW_SECRET: TEST_SECRET,
      TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8',
      TONEROW_ROLE: role,
    },
  });
const kill = async () => {
  server.child.kill('SIGKILL');
  await server.ended();
};

beforeAll(async () => {
  db = await createTestDatabase();
  receiver = await startReceiver();
  server = await start('api');
  ada = await signUpVerified({ url: server.url, db });
  const body = { url: receiver.url, events: ['serial.redeemed'] };
  secret = (await call(server, 'POST', '/api/webhooks', { token: ada.token, body })).body.secret;
});
afterEach(kill);
afterAll(async () => {
  await receiver.stop();
  await db.drop();
});

async function redeemOne(): Promise<string> {
  const product = await makeProduct(server, ada.token);
  const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  return serial?.id as string;
}

const waiting = async () => (await db.query("select 1 from webhook_deliveries where state = 'waiting'")).length;
const isLeased = async () =>
  (await db.query('select 1 from webhook_endpoints where leased_by is not null and leased_until > now()')).length > 0;
/** Wakes the processes: something may be due. */
const look = () => db.query(`select pg_notify('tonerow_live', '{"a":"","type":"webhook_due","data":{}}')`);
/** Ends all leases. */
const expire = () => db.query('update webhook_endpoints set leased_until = now()');

it('sends after a restart what was committed before the process was killed', async () => {
  const serial = await redeemOne();
  await kill();
  expect(receiver.received).toEqual([]);
  server = await start();
  const one = await receiver.wait(1);
  expect(verifyWith(secret, one)).toMatchObject({ data: { serial_id: serial } });
  // marked too, or the next test would find it
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
});

it('sends again, with the same id, what was answered but not marked when the process was killed', async () => {
  await expire();
  server = await start();
  receiver.received.length = 0;
  const redeemed = Promise.withResolvers<void>();
  receiver.answer = async (response) => {
    // the event may come before the answer of the redemption
    await redeemed.promise;
    server.child.kill('SIGKILL');
    response.writeHead(204).end();
  };
  await redeemOne();
  redeemed.resolve();
  await receiver.wait(1);
  await server.ended();
  expect([await waiting(), await isLeased()]).toEqual([1, true]);
  receiver.answer = 204;
  server = await start();
  // another process, too, leaves it alone until the lease ends
  await expire();
  await look();
  const again = await receiver.wait(2);
  expect(again.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
  expect(again.body).toBe(receiver.received[0]?.body);
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  expect(receiver.received).toHaveLength(2);
});

it('sends of two processes no more than five at once, and each event once, also while one of them stops', async () => {
  await expire();
  server = await start();
  const other = await start();
  receiver.received.length = 0;
  let [open, most] = [0, 0];
  const full = Promise.withResolvers<void>();
  receiver.answer = (response) => {
    open += 1;
    most = Math.max(most, open);
    // the first ones are held until there are five: a busy machine may take longer to send than to answer
    if (open === 5) full.resolve();
    void full.promise.then(() =>
      setTimeout(() => {
        open -= 1;
        response.writeHead(204).end();
      }, 20),
    );
  };
  const many = `with event as (
       insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
       select developer_id, gen_random_uuid(), 'webhook.test', now(), '{}', '{}', pg_current_xact_id()::text::bigint
       from webhook_endpoints, generate_series(1, 100) returning id, developer_id)
     insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, next_attempt_at, created_at)
     select e.developer_id, gen_random_uuid(), e.id, event.id, 'webhook.test', 'waiting', now(), now() from event join webhook_endpoints e using (developer_id)`;
  await db.query(many);
  await look();
  await receiver.wait(20);
  // whichever of them sends: the one that goes leaves the rest to the other
  server.child.kill('SIGTERM');
  expect(await server.ended()).toBe(0);
  server = other;
  await db.query(many);
  await look();
  await receiver.wait(200);
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  expect(most).toBe(5);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
  expect(receiver.received).toHaveLength(200);
});
