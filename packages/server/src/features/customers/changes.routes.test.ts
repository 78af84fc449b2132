import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let codes: string[];
let made = 0;
let tag: string;
let address: string;
let id: string;

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
  const product = await makeProduct(server, ada.token, { name: 'Delay' });
  codes = (await makeSerials(server, ada.token, product.id, { quantity: 30 })).map(({ code }) => code);
});

beforeEach(async () => {
  made += 1;
  tag = `${made}-${ada.id}`;
  address = `nina${tag}@example.com`;
  await redeem(server, codes[made] as string, address, ada.id);
  id = (await list(address)).body.customers[0].id;
});

const list = (search: string) => call(server, 'GET', `/api/customers/list?search=${search}`, { token: ada.token });
const get = async () => (await call(server, 'GET', `/api/customers/${id}`, { token: ada.token })).body;
const change = (body: object) => call(server, 'PATCH', `/api/customers/${id}`, { token: ada.token, body });
const note = (text: string, headers = {}) =>
  call(server, 'POST', `/api/customers/${id}/notes`, { token: ada.token, body: { text }, headers });
const told = async () =>
  (
    await server.db.query<{ recipient: string }>(
      `select recipient from mails where kind = 'customer_changed' and recipient like $1 order by recipient`,
      [`%${tag}@%`],
    )
  ).map(({ recipient }) => recipient);

it('changes an address, emails the old and the new one, and keeps the old one', async () => {
  const changed = await change({ email: `simone${tag}@example.com` });
  expect(changed.body).toMatchObject({ email: `simone${tag}@example.com`, first_name: 'Nina' });
  expect(await told()).toEqual([address, `simone${tag}@example.com`]);
  expect((await get()).activity[0]).toMatchObject({
    kind: 'changed',
    detail: `${address} to simone${tag}@example.com`,
    serial_id: null,
    serial_code: null,
  });
  expect((await redeem(server, codes[made] as string, address, ada.id)).status).not.toBe(200);
  expect((await redeem(server, codes[made] as string, `simone${tag}@example.com`, ada.id)).status).toBe(200);
});

it('changes a name without an email, and nothing when nothing is different', async () => {
  expect((await change({ first_name: 'Eunice', last_name: null })).body).toMatchObject({
    email: address,
    first_name: 'Eunice',
    last_name: null,
  });
  await change({ first_name: 'Eunice' });
  await change({ email: address.toUpperCase() });
  expect(await told()).toEqual([]);
  const kinds = (await get()).activity.map((each: { kind: string }) => each.kind);
  expect(kinds).toEqual(['changed', 'changed', 'redeemed']);
});

it('forgets with an address who has come by it, and with a name nothing', async () => {
  await server.db.query('update customers set proven_at = now() where developer_id = $1 and id = $2', [ada.id, id]);
  const known = () =>
    server.db.query(
      `select proven_at is not null as proven, last_login_at is not null as came from customers
       where developer_id = $1 and id = $2`,
      [ada.id, id],
    );
  await change({ first_name: 'Eunice' });
  expect(await known()).toEqual([{ proven: true, came: true }]);
  await change({ email: `stranger${tag}@example.com` });
  expect(await known()).toEqual([{ proven: false, came: false }]);
});

it('refuses an address that another customer has, and a body without a change', async () => {
  await redeem(server, codes[20] as string, 'taken@example.com', ada.id);
  const refused = await change({ email: 'TAKEN@example.com' });
  expect([refused.status, refused.body.message]).toEqual([409, 'Another of your customers has this email address.']);
  expect((await get()).email).toBe(address);
  expect(await told()).toEqual([]);
  expect((await change({})).status).toBe(400);
  expect((await change({ email: 'nobody' })).status).toBe(400);
});

it('gives one address to one of two customers who ask for it at once', async () => {
  const first = id;
  made += 1;
  tag = `${made}-${ada.id}`;
  await redeem(server, codes[made] as string, `nina${tag}@example.com`, ada.id);
  const second = (await list(`nina${tag}@example.com`)).body.customers[0].id;
  const both = await Promise.all(
    [first, second].map((each) =>
      call(server, 'PATCH', `/api/customers/${each}`, { token: ada.token, body: { email: 'shared@example.com' } }),
    ),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it('keeps a note, once however often the same request comes, and refuses an empty one', async () => {
  const headers = { 'idempotency-key': `note-${made}` };
  const [first, again] = [await note('Lost her laptop', headers), await note('Lost her laptop', headers)];
  expect([first.status, first.body.text]).toEqual([201, 'Lost her laptop']);
  expect(again.body).toEqual(first.body);
  const notes = (await get()).activity.filter((each: { kind: string }) => each.kind === 'noted');
  expect(notes).toMatchObject([{ detail: 'Lost her laptop', serial_id: null }]);
  expect((await note('  ')).status).toBe(400);
});

it('erases notes, former addresses and the emails to them with the customer', async () => {
  await note('Nina from the fair');
  await change({ email: `later${tag}@example.com` });
  await call(server, 'DELETE', `/api/customers/${id}`, { token: ada.token });
  const left = await server.db.query(
    `select 1 from customer_events where customer_id = $1 union all select 1 from mails where recipient like $2`,
    [id, `%${tag}@example.com`],
  );
  expect(left).toEqual([]);
  expect((await note('again')).status).toBe(422);
  expect((await change({ first_name: 'Nina' })).status).toBe(422);
});

it('is not for anybody else', async () => {
  const eve = await signUpVerified(server);
  const asEve = { token: eve.token, body: { first_name: 'Eve' } };
  expect((await call(server, 'PATCH', `/api/customers/${id}`, asEve)).status).toBe(404);
  const noted = await call(server, 'POST', `/api/customers/${id}/notes`, { token: eve.token, body: { text: 'Mine' } });
  expect(noted.status).toBe(404);
});
