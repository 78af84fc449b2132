import { gzipSync } from 'node:zlib';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { deliver, OtherShop, signedBy } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function scene() {
  const shop = await ShopScene.begin(server, { kind: 'other' });
  const other = new OtherShop({ address: shop.address, secret: shop.secret });
  const sale = (order: string) => ({
    order,
    email: buyer(),
    currency: 'USD',
    paid_at: '2026-11-26T09:00:00Z',
    lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }],
  });
  return { shop, other, sale };
}

it('makes one order of 10,020 deliveries of it, with its serials and one email', async () => {
  const { shop, other, sale } = await scene();
  const body = sale('10020');
  const at = new Date();
  const statuses = await Promise.all(Array.from({ length: 20 }, () => other.send('sale.created', body, at)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  // as if the shop had sent it again and again, each under an id of its own
  await server.db.query(
    `insert into shop_deliveries (id, developer_id, connection_id, key, body_hash, body, headers, event, order_key, state, received_at)
     select gen_random_uuid(), d.developer_id, d.connection_id, 'again-' || n, d.body_hash, d.body, d.headers, d.event, d.order_key, 'received', now()
     from (select * from shop_deliveries where developer_id = $1 limit 1) d, generate_series(1, 10000) n`,
    [shop.ada.id],
  );
  const work = { accountId: shop.ada.id, shopId: shop.shopId, orderKey: '10020' };
  await queueJob(server.db, 'shop-order', work, { times: 3 });
  const waiting = async () => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body.waiting;
  await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  await shop.becomes('10020', { state: 'issued', serials: 2 });
  const [counted] = await server.db.query(
    `select (select count(*)::int from shop_orders where developer_id = $1) as orders,
       (select count(*)::int from serials where developer_id = $1) as serials,
       (select count(*)::int from shop_deliveries where developer_id = $1 and state = 'done') as done,
       (select array_agg(distinct mail_id) from shop_units where developer_id = $1) as mails`,
    [shop.ada.id],
  );
  expect(counted).toEqual({ orders: 1, serials: 2, done: 10_020, mails: [expect.any(String)] });
  expect(await server.db.query('select 1 from mails where id = any($1)', [counted?.mails])).toHaveLength(1);
  await expectOrderBook(server, shop.ada.id);
}, 120_000);

it('keeps a form that is signed where JSON is expected, shows that it can’t be used, and makes nothing of it', async () => {
  const { shop, other } = await scene();
  const sent = other.event('sale.created', {});
  const form = 'order=1001&email=nina%40example.com&sku=GLIDE';
  const signed = signedBy(shop.secret, shop.address, {}, { body: form });
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await deliver({ ...signed, headers: { ...signed.headers, ...type } })).toBe(200);
  // a form with the signature of something else
  expect(await deliver({ ...sent, headers: { ...sent.headers, ...type }, body: form })).toBe(401);
  await shop.done();
  const { rows } = (await shop.api('GET', `/api/shops/${shop.shopId}/deliveries`)).body;
  expect(rows).toMatchObject([{ event: 'unknown', order_key: null, why: expect.any(String) }]);
  expect((await shop.api('GET', '/api/shop-orders')).body.rows).toEqual([]);
});

it('refuses a body that is really gzip’d, whether that is told or not, and takes the same one plain', async () => {
  const { shop, other, sale } = await scene();
  const plain = other.event('sale.created', sale('1001'));
  const zipped = gzipSync(plain.body);
  const post = async (headers: Record<string, string>) =>
    (await fetch(plain.url, { method: 'POST', headers: { ...plain.headers, ...headers }, body: zipped })).status;
  expect([await post({ 'content-encoding': 'gzip' }), await post({})]).toEqual([415, 401]);
  expect(await deliver(plain)).toBe(200);
  await shop.becomes('1001', { state: 'issued', serials: 2 });
});
