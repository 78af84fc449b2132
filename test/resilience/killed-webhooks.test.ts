import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '../support/http.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { type Receiver, startReceiver, verifyWith } from '../support/receiver.ts';
import { TEST_SECRET } from '../support/server.ts';

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

/** What was claimed and not marked. */
const claimed = () => db.query("select 1 from webhook_deliveries where state = 'waiting' and lease is not null");

it('sends after a restart what was committed before the process was killed', async () => {
  const serial = await redeemOne();
  await kill();
  expect(receiver.received).toEqual([]);
  server = await start();
  const one = await receiver.wait(1);
  expect(verifyWith(secret, one)).toMatchObject({ data: { serial_id: serial } });
  // marked too, or the next test would find it
  await expect.poll(async () => (await claimed()).length, { timeout: 10_000 }).toBe(0);
});

it('sends again, with the same id, what was answered but not marked when the process was killed', async () => {
  server = await start();
  receiver.received.length = 0;
  receiver.answer = (response) => {
    server.child.kill('SIGKILL');
    response.writeHead(204).end();
  };
  await redeemOne();
  await receiver.wait(1);
  await server.ended();
  expect(await claimed()).toHaveLength(1);
  receiver.answer = 204;
  // the minute of the lease is over
  await db.query('update webhook_deliveries set next_attempt_at = now() where lease is not null');
  server = await start();
  const again = await receiver.wait(2);
  expect(again.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
  expect(again.body).toBe(receiver.received[0]?.body);
  await expect.poll(async () => (await claimed()).length, { timeout: 10_000 }).toBe(0);
  expect(receiver.received).toHaveLength(2);
});
