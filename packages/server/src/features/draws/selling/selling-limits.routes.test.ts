import { call, makeProduct, makeSerials } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let pair: Partners;
let product_id: string;
beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  pair = await makePartners(server);
  ({ id: product_id } = await makeProduct(server, pair.developer.token));
  await makeSerials(server, pair.developer.token, product_id, { quantity: 30, reseller_id: pair.partnershipId });
});
afterAll(() => server.stop());

let sales = 0;
const post = (path: string, body: object) =>
  call(server, 'POST', `/api/reseller/serials/${path}`, { token: pair.reseller.token, body });
const sell = (body: object = {}) => post('sell', { product_id, reference: `sale-${++sales}`, ...body });
const left = async () =>
  (await server.db.query('select 1 from serials where handed_out_at is null and redeemed_at is null')).length;

it('one sale is emailed at most five times an hour', async () => {
  await sell({ reference: 'a' });
  const again = (n: number) => post('sold/a/email', { email: `nina-${n}@example.com` });
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await again(n)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

it('nobody is emailed more than ten times a day by one reseller, and what can’t be emailed is not sold', async () => {
  const email = 'victim@example.com';
  for (let n = 0; n < 10; n += 1) expect((await sell({ email })).status).toBe(201);
  const before = await left();
  const refused = await sell({ email });
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"caused_recipient";q=10;w=86400']);
  expect(await left()).toBe(before);
  // a lost answer costs nothing, and without an email it can be sold
  expect((await sell({ reference: 'sale-2', email })).status).toBe(201);
  expect((await sell()).status).toBe(201);
});

it('a refusal for want of stock is not counted as an email', async () => {
  const { id } = await makeProduct(server, pair.developer.token);
  const email = 'patient@example.com';
  for (let n = 0; n < 11; n += 1) expect((await sell({ product_id: id, email })).status).toBe(409);
  expect((await sell({ email })).status).toBe(201);
});

it('who has not verified their address sells nothing', async () => {
  await server.db.query('update users set email_verified_at = null where id = $1', [pair.reseller.id]);
  expect((await sell()).body.code).toBe('email_unverified');
  await server.db.query('update users set email_verified_at = now() where id = $1', [pair.reseller.id]);
});
