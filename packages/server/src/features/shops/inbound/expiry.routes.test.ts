import { PASSWORD, redeem } from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { OtherShop } from '@tonerow/test-support/shops/other.ts';
import { buyer, ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function sold(order: string, email: string) {
  const shop = await ShopScene.begin(server, { kind: 'other' });
  const other = new OtherShop(shop);
  const sale = {
    order,
    email,
    first_name: 'Nina',
    currency: 'USD',
    paid_at: '2026-11-26T09:00:00Z',
    lines: [{ id: '1', sku: 'GLIDE', quantity: 2, paid: '98.00' }],
  };
  await other.send('sale.created', sale);
  const known = await shop.becomes(order, { state: 'issued' });
  return { shop, other, sale, known };
}
const kept = (shop: ShopScene) =>
  server.db.query<{ id: string; body: Buffer; headers: string }>(
    'select id, body, headers from shop_deliveries where developer_id = $1 order by id',
    [shop.ada.id],
  );

it('what a shop sent is kept for 90 days, and the order for good', async () => {
  const { shop, other } = await sold('old', buyer());
  await server.db.query("update shop_deliveries set received_at = now() - interval '91 days' where developer_id = $1", [
    shop.ada.id,
  ]);
  await other.send('sale.refunded', { order: 'old', refund: 'r1', amount: '1.00' });
  await shop.becomes('old', { reversals: [{ key: 'r1' }] });
  await queueJob(server.db, 'expire-records');
  await expect.poll(async () => (await kept(shop)).length, { timeout: 30_000 }).toBe(1);
  expect(await shop.order('old')).toMatchObject({ serials: 2, deliveries: [{ event: 'sale.refunded' }] });
  await expectOrderBook(server, shop.ada.id);
});

it('a customer who is erased leaves neither a name nor a byte of what the shop sent, and comes back by no later version', async () => {
  const email = buyer();
  const { shop, other, sale, known } = await sold('erased', email);
  const [unit] = unitsOf(known);
  await redeem(server, unit.code, email, shop.ada.id);
  const [customer] = await server.db.query<{ id: string }>('select id from customers where developer_id = $1', [
    shop.ada.id,
  ]);
  const erased = await shop.api('DELETE', `/api/customers/${customer?.id}`);
  expect(erased.status, erased.text).toBe(200);
  const without = { email: null, first_name: null, last_name: null, paid: '98.00', serials: 2 };
  await shop.becomes('erased', without);
  const bytes = async () => (await kept(shop)).map(({ body, headers }) => [Buffer.from(body).length, headers]);
  expect(await bytes()).toEqual([[0, '{}']]);
  await other.send('sale.updated', { ...sale, first_name: 'Nina again' });
  await shop.done();
  expect(await shop.order('erased')).toMatchObject(without);
  expect(await bytes()).toEqual([
    [0, '{}'],
    [0, '{}'],
  ]);
  const refused = await shop.api('PATCH', `/api/shop-orders/${known.id}`, { email });
  expect(refused.status).toBe(422);
  const [first] = await kept(shop);
  const replayed = await shop.api('POST', `/api/shop-orders/${known.id}/deliveries/${first?.id}/replay`);
  expect(replayed.status).toBe(422);
  await expectOrderBook(server, shop.ada.id);
});

it('a shop that is deleted leaves nothing that opens it, and its orders stay', async () => {
  const { shop } = await sold('deleted', buyer());
  const opens = () =>
    server.db.query('select secret, credentials from shop_connections where developer_id = $1', [shop.ada.id]);
  expect((await opens())[0]).toMatchObject({ secret: expect.anything() });
  expect((await shop.api('DELETE', `/api/shops/${shop.shopId}`)).status).toBe(200);
  expect(await opens()).toEqual([{ secret: null, credentials: null }]);
  expect((await shop.order('deleted')).serials).toBe(2);
});

it('an account that is deleted leaves nothing that opens its shops or shows who bought, and nobody reports to it', async () => {
  const { shop, other, sale } = await sold('gone', buyer());
  const gone = await shop.api('DELETE', '/api/account/delete', { password: PASSWORD });
  expect(gone.status, gone.text).toBe(200);
  const rows = (sql: string) => server.db.query<Record<string, unknown>>(sql, [shop.ada.id]);
  expect(await rows('select secret, credentials, state from shop_connections where developer_id = $1')).toEqual([
    { secret: null, credentials: null, state: 'off' },
  ]);
  expect(await rows('select email, email_as_sold, first_name from shop_orders where developer_id = $1')).toEqual([
    { email: null, email_as_sold: null, first_name: null },
  ]);
  expect((await kept(shop)).map(({ body, headers }) => [Buffer.from(body).length, headers])).toEqual([[0, '{}']]);
  expect(await other.send('sale.updated', { ...sale, first_name: 'Nina again' })).toBe(404);
});
