import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, {
    name: 'Delay',
    price: 30,
    file_urls: [{ name: 'Mac', url: 'https://example.com/a.dmg' }],
  });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  call(server, 'GET', path, { token: ada.token, headers });
const csv = { accept: 'text/csv' };

it('shows what is available by product and by promotion', async () => {
  const bea = await signUp(server);
  const synth = await makeProduct(server, bea.token, { name: 'Synth' });
  await makeSerials(server, bea.token, synth.id, { quantity: 120 });
  await makeSerials(server, bea.token, synth.id, { quantity: 2, promo_price: 5, batch_tag: 'Spring' });
  const [gone] = await makeSerials(server, bea.token, synth.id, { quantity: 3, promo_price: 5 });
  await call(server, 'PATCH', `/api/serials/revoke/${gone?.id}`, { token: bea.token });
  const available = async (query = '') =>
    (await call(server, 'GET', `/api/serials/available${query}`, { token: bea.token })).body;
  const all = await available();
  expect(Object.keys(all.regular)).toEqual(['Synth']);
  expect(all.regular.Synth).toHaveLength(100);
  expect(all.promos['Synth · Promo'].serials).toHaveLength(2);
  expect(all.counts).toEqual({ regular: { Synth: 120 }, promos: { 'Synth · Promo': 2, 'Synth · Spring': 2 } });
  expect(all.total).toBe(124);
  expect((await available('?search=spring')).total).toBe(2);
  const one = all.regular.Synth[0].code as string;
  expect((await available(`?search=${one.toLowerCase().replaceAll('-', '%20')}`)).total).toBe(1);
  expect((await available('?dateRange=2020-01-01_to_2020-01-31')).total).toBe(0);
  expect((await available('?dateRange=1w')).total).toBe(124);
  // a custom period of which a day is missing means the last 30 days
  for (const half of ['_to_', '2020-01-01_to_', '_to_2020-01-01'])
    expect((await available(`?dateRange=${half}`)).total).toBe(124);
  const bad = await call(server, 'GET', '/api/serials/available?dateRange=2020-02-31_to_2020-03-01', {
    token: bea.token,
  });
  expect(bad.status).toBe(400);
});

it('counts a serial as available in every view or in none, whether or not it may be redeemed yet', async () => {
  const draft = await makeProduct(server, ada.token, { name: 'Draft', is_draft: true });
  await makeSerials(server, ada.token, draft.id, { quantity: 2 });
  await makeSerials(server, ada.token, draft.id, { quantity: 1, promo_price: 1, promo_start: '2999-01-01' });
  const [past] = await makeSerials(server, ada.token, draft.id, { quantity: 2 });
  await server.db.query(
    `update batches b set expires_at = '2020-01-01' from serials s
     where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and s.id = $1`,
    [past?.id],
  );
  const [, late] = await makeSerials(server, ada.token, draft.id, { quantity: 2 });
  await call(server, 'PATCH', `/api/serials/revoke/${late?.id}`, { token: ada.token });
  const views = {
    product: (await get(`/api/products/${draft.id}`)).body.serials_available,
    products: (await get('/api/products?search=draft')).body[0].serials_available,
    groups: (await get('/api/serials/available')).body.total,
    list: (await get('/api/serials?state=available')).body.total,
    csv: (await get('/api/serials?state=available', csv)).text.trim().split('\r\n').length - 1,
  };
  expect(views).toEqual({ product: 4, products: 4, groups: 4, list: 4, csv: 4 });
});

it('counts the available serials of all groups, though only the first hundred are listed', async () => {
  const [{ developer_id, batch_id } = {} as never] = await server.db.query<{ developer_id: string; batch_id: string }>(
    'select developer_id, batch_id from serials where id = $1',
    [(await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.id],
  );
  await server.db.query(
    `with made as (
       insert into batches (id, developer_id, product_id, origin, quantity, promo_price_cents, batch_tag, created_at)
       select gen_random_uuid(), b.developer_id, b.product_id, b.origin, 1, 100, 'Tag ' || n, b.created_at
       from batches b, generate_series(1, 120) n where b.developer_id = $1 and b.id = $2 returning *
     ) insert into serials (id, developer_id, batch_id, code, code_key)
     select gen_random_uuid(), developer_id, id, batch_tag, upper(batch_tag) from made`,
    [developer_id, batch_id],
  );
  const { body } = await get('/api/serials/available');
  expect([body.groups.length, body.total]).toEqual([100, 121]);
});
