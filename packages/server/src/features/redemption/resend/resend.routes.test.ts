import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let ada: Person;
let serials: { id: string; code: string }[];

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  ada = await signUpVerified(server);
  const product = await makeProduct(server, ada.token, { name: 'Delay' });
  serials = await makeSerials(server, ada.token, product.id, { quantity: 3 });
  await redeem(server, serials[0]?.code as string, 'nina@example.com', ada.id);
  await redeem(server, serials[1]?.code as string, 'gone@example.com', ada.id);
});
afterAll(() => server.stop());

const resend = (at: number, token = ada.token) =>
  call(server, 'POST', `/api/serials/${serials[at]?.id}/resend-email`, { token });
const sent = async (to: string) =>
  (await server.db.query(`select 1 from mails where kind = 'redemption' and recipient = $1`, [to])).length;

it('sends the email of the redemption again, notes it, and stops after five in an hour', async () => {
  const before = await sent('nina@example.com');
  const answer = await resend(0);
  expect([answer.status, answer.body]).toEqual([200, { email: 'nina@example.com' }]);
  expect(await sent('nina@example.com')).toBe(before + 1);
  const serial = await call(server, 'GET', `/api/serials/${serials[0]?.id}`, { token: ada.token });
  expect(serial.body.history[0].kind).toBe('emailed');
  for (let i = 0; i < 4; i += 1) expect((await resend(0)).status).toBe(200);
  expect((await resend(0)).status).toBe(429);
  expect(await sent('nina@example.com')).toBe(before + 5);
});

it('has nobody to write to before the redemption and after an erasure', async () => {
  expect([(await resend(2)).status, (await resend(2)).body.message]).toEqual([
    422,
    'Nobody has redeemed this serial yet.',
  ]);
  const { body } = await call(server, 'GET', `/api/serials/${serials[1]?.id}`, { token: ada.token });
  await call(server, 'DELETE', `/api/customers/${body.customer.id}`, { token: ada.token });
  expect((await resend(1)).status).toBe(422);
});

it('is not for anybody else', async () => {
  expect((await resend(1, (await signUpVerified(server)).token)).status).toBe(404);
});
