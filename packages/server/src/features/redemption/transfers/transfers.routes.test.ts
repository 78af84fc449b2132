import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let ada: Person;
let serials: { id: string; code: string }[];
let batchId: string;

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  ada = await signUpVerified(server);
  const product = await makeProduct(server, ada.token, {
    name: 'Delay',
    price: 30,
    file_urls: [{ name: 'macOS', url: 'https://files.example.com/delay.pkg' }],
  });
  serials = await makeSerials(server, ada.token, product.id, { quantity: 6, expires_at: '2999-01-01' });
  for (const at of [0, 1, 2]) await redeem(server, serials[at]?.code as string, 'nina@example.com', ada.id);
  batchId = (await serial(0)).batch_id;
});
afterAll(() => server.stop());

const transfer = (at: number, body: object, token = ada.token) =>
  call(server, 'POST', `/api/serials/${serials[at]?.id}/transfer`, { token, body });
const serial = async (at: number) =>
  (await call(server, 'GET', `/api/serials/${serials[at]?.id}`, { token: ada.token })).body;
const told = async (to: string) =>
  (await server.db.query(`select 1 from mails where kind = 'customer_changed' and recipient = $1`, [to])).length;
const ledger = async (at: number) =>
  (await server.db.query('select customer_id from redemptions where serial_id = $1', [serials[at]?.id]))[0];

it('gives a serial to somebody else, emails both, and leaves the ledger as is', async () => {
  const before = await serial(0);
  const written = await ledger(0);
  const answer = await transfer(0, {
    email: 'Otis@Example.com',
    first_name: 'Otis',
    from_customer_id: before.customer.id,
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ changed: true, customer: { email: 'Otis@Example.com', first_name: 'Otis' } });
  const after = await serial(0);
  expect(after.customer.id).toBe(answer.body.customer.id);
  expect(after.history[0]).toMatchObject({ kind: 'transferred', detail: 'nina@example.com' });
  expect(await ledger(0)).toEqual(written);
  expect([await told('nina@example.com'), await told('Otis@Example.com')]).toEqual([1, 1]);
  const found = await call(server, 'GET', '/api/serials/redeemed?search=otis', { token: ada.token });
  expect(found.body.rows.map((row: { email: string }) => row.email)).toEqual(['Otis@Example.com']);
  const file = await call(server, 'GET', '/api/serials/redeemed', {
    token: ada.token,
    headers: { accept: 'text/csv' },
  });
  expect(
    file.text
      .trim()
      .split('\n')
      .filter((line) => line.includes('Otis@Example.com')),
  ).toHaveLength(1);
  const customer = (id: string) => call(server, 'GET', `/api/customers/${id}`, { token: ada.token });
  expect((await customer(after.customer.id)).body.serials).toHaveLength(1);
  expect((await customer(before.customer.id)).body.activity[0]).toMatchObject({ kind: 'changed' });
});

it('closes the downloads for whoever had it before, however old the proof', async () => {
  const products = (token: string) => call(server, 'POST', '/api/redeem/products', { body: { download_token: token } });
  const form = { serial: serials[5]?.code, email: 'sam@example.com', dev: ada.id };
  const { body: asked } = await call(server, 'POST', '/api/redeem/initiate', { body: form });
  const name = { temp_token: asked.temp_token, first_name: 'Sam', last_name: 'Cooke' };
  const { body: opened } = await call(server, 'POST', '/api/redeem/complete', { body: name });
  const file = opened.products[0].files[0].url;
  expect((await products(opened.download_token)).body.products).toHaveLength(1);
  expect((await transfer(5, { email: 'otis@example.com' })).status).toBe(200);
  // tokens know whole seconds only
  await server.db.query(
    "update serial_events set happened_at = (happened_at at time zone 'UTC' + interval '2 seconds') at time zone 'UTC' where serial_id = $1 and kind = 'transferred'",
    [serials[5]?.id],
  );
  expect((await products(opened.download_token)).body.products).toEqual([]);
  expect((await fetch(file, { redirect: 'manual' })).status).not.toBe(302);
  // nor does another serial of theirs open it again
  const again = await call(server, 'POST', '/api/redeem/initiate', {
    body: { ...form, serial: serials[1]?.code, email: 'nina@example.com', download_token: opened.download_token },
  });
  expect(again.body.products.map(({ serial_code }: { serial_code: string }) => serial_code)).toEqual([
    serials[1]?.code,
  ]);
});

it('keeps nothing of an erased owner in the history, and writes to nobody then', async () => {
  const { customer } = (await transfer(0, { email: 'gone@example.com' })).body;
  await call(server, 'DELETE', `/api/customers/${customer.id}`, { token: ada.token });
  const emails = async () => (await server.db.query('select 1 from mails')).length;
  const before = await emails();
  expect((await transfer(0, { email: 'rita@example.com' })).status).toBe(200);
  expect(await emails()).toBe(before + 1);
  expect(JSON.stringify(await serial(0))).not.toContain('gone@example.com');
});

it('changes nothing for its owner, before the redemption, or when it changed hands meanwhile', async () => {
  const { customer } = await serial(1);
  expect((await transfer(1, { email: 'NINA@example.com' })).body).toMatchObject({ changed: false });
  expect((await transfer(3, { email: 'otis@example.com' })).status).toBe(422);
  expect((await transfer(1, { email: 'not an address' })).status).toBe(400);
  const somebody = (await serial(0)).customer.id;
  const late = await transfer(1, { email: 'late@example.com', from_customer_id: somebody });
  expect([late.status, (await serial(1)).customer.id]).toEqual([409, customer.id]);
});

it('has one owner after two at once, and both are in the history', async () => {
  const both = await Promise.all(['a@example.com', 'b@example.com'].map((email) => transfer(2, { email })));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const { customer, history } = await serial(2);
  expect(['a@example.com', 'b@example.com']).toContain(customer.email);
  expect(history.filter((event: { kind: string }) => event.kind === 'transferred')).toHaveLength(2);
});

it('is not for anybody else, and ends after five in an hour', async () => {
  const bob = await signUpVerified(server);
  expect((await transfer(1, { email: 'bob@example.com' }, bob.token)).status).toBe(404);
  const tries = [];
  for (let i = 0; i < 5; i += 1) tries.push((await transfer(1, { email: `x${i}@example.com` })).status);
  expect(tries).toContain(429);
});

it('extends a batch: its serials can be redeemed for longer, and never by anybody else', async () => {
  const extend = (body: object, token = ada.token) => call(server, 'PATCH', `/api/batches/${batchId}`, { token, body });
  expect((await extend({ expires_at: '2999-06-30' })).body.expires_at).toContain('2999-06-30');
  expect((await extend({ expires_at: null })).body.expires_at).toBeNull();
  expect((await extend({ expires_at: '2001-01-01' })).status).toBe(422);
  expect((await extend({ promo_expires: '2999-01-01' })).status).toBe(422);
  expect((await extend({})).status).toBe(400);
  expect((await extend({ expires_at: '2999-01-01' }, (await signUpVerified(server)).token)).status).toBe(404);
  // one that ran out is in stock again
  await server.db.query("update batches set expires_at = '2001-01-01' where id = $1", [batchId]);
  const left = async () => (await call(server, 'GET', '/api/serials?state=available', { token: ada.token })).body.total;
  expect(await left()).toBe(0);
  await extend({ expires_at: '2999-01-01' });
  expect(await left()).toBe(2);
});
