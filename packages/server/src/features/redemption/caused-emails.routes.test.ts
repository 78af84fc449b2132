import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let eve: Person;
let serials: { id: string; code: string }[];
beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  eve = await signUpVerified(server);
  const product = await makeProduct(server, eve.token);
  serials = await makeSerials(server, eve.token, product.id, { quantity: 4 });
  for (const [n, { code }] of serials.entries()) await redeem(server, code, `own-${n}@example.com`, eve.id);
});
afterAll(() => server.stop());

const ask = (method: string, path: string, body: object) => call(server, method, path, { token: eve.token, body });
const sentTo = async (to: string) =>
  (await server.db.query('select 1 from mails where recipient = $1 and developer_id = $2', [to, eve.id])).length;

it('an account causes at most ten emails a day to one recipient, by whatever calls', async () => {
  const victim = 'victim@example.com';
  const { customers } = (await call(server, 'GET', '/api/customers/list?search=own-0', { token: eve.token })).body;
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    for (const email of [victim, `Else-${n}@example.com`])
      statuses.push((await ask('PATCH', `/api/customers/${customers[0].id}`, { email })).status);
  }
  // back and forth is two emails to the victim, and so is being sent a serial again
  for (const { id } of serials.slice(1))
    statuses.push((await ask('POST', `/api/serials/${id}/transfer`, { email: victim })).status);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
  expect(await sentTo(victim)).toBe(10);
  const resent = await ask('POST', `/api/serials/${serials[1]?.id}/resend-email`, {});
  expect([resent.status, resent.headers.get('ratelimit-policy')]).toEqual([429, '"caused_recipient";q=10;w=86400']);
  const invited = await ask('POST', '/api/reseller/developer/invite-reseller', { email: victim, commission_rate: 20 });
  expect(invited.status).toBe(429);
  expect(await sentTo(victim)).toBe(10);
  // somebody else is still reached
  expect((await ask('POST', `/api/serials/${serials[3]?.id}/resend-email`, {})).status).toBe(200);
});

it('an invitation brings no words of its sender to an address that never dealt with us', async () => {
  const known = await signUpVerified(server, 'reseller');
  const stranger = 'nobody-yet@example.com';
  const message = 'Cheap watches';
  for (const email of [known.email, stranger])
    await ask('POST', '/api/reseller/developer/invite-reseller', { email, message, commission_rate: 20 });
  const emailTo = (to: string) =>
    server.email((each) => each.to?.[0]?.address === to && /invites you/.test(each.subject ?? ''));
  expect((await emailTo(known.email)).text).toContain(message);
  expect((await emailTo(stranger)).text).not.toContain(message);
});
