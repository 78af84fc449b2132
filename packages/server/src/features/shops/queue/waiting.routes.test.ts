import { makeSerials } from '@tonerow/test-support/http.ts';
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

const saleOf = (order: string, quantity: number) => ({
  order,
  email: buyer(),
  currency: 'USD',
  paid_at: '2026-11-26T09:00:00Z',
  lines: [{ id: '1', sku: 'GLIDE', quantity, paid: '98.00' }],
});

it('whoever waits for serials of a batch gets them by themselves once there are some, no code twice, the rest later', async () => {
  const shop = await ShopScene.begin(server, { kind: 'other' }, []);
  await shop.map([{ key: 'GLIDE', product_ids: [shop.glide.id], source: 'pool', batch_tag: 'shop' }]);
  const other = new OtherShop(shop);
  const orders = ['w1', 'w2', 'w3'];
  for (const order of orders) {
    await other.send('sale.created', saleOf(order, 2));
    await shop.becomes(order, { state: 'attention', missing: 2, reasons: [{ reason: 'out_of_stock' }] });
  }
  // with another tag, which is not what they wait for
  await makeSerials(server, shop.ada.token, shop.glide.id, { batch_tag: 'else', quantity: 6 });
  await queueJob(server.db, 'shop-refill');
  await shop.done();
  expect((await shop.order('w1')).missing).toBe(2);
  const came = await makeSerials(server, shop.ada.token, shop.glide.id, { batch_tag: 'shop', quantity: 5 });
  await queueJob(server.db, 'shop-refill');
  const all = async () => (await Promise.all(orders.map((order) => shop.order(order)))).flatMap(unitsOf);
  const given = async () => (await all()).flatMap(({ code }) => code ?? []).sort();
  await expect.poll(given, { timeout: 30_000 }).toEqual(came.map(({ code }) => code).sort());
  await makeSerials(server, shop.ada.token, shop.glide.id, { batch_tag: 'shop', quantity: 1 });
  await queueJob(server.db, 'shop-refill');
  for (const order of orders) await shop.becomes(order, { state: 'issued', serials: 2, missing: 0, reasons: [] });
  await expectOrderBook(server, shop.ada.id);
});

it('an order that wants too many serials follows its mapping by itself, and what had its serials before stays', async () => {
  const shop = await ShopScene.begin(server, { kind: 'other' }, []);
  const [many, few] = [
    { key: 'GLIDE', product_ids: [shop.glide.id], units: 100 },
    { key: 'GLIDE', product_ids: [shop.glide.id], units: 1 },
  ];
  await shop.map([many]);
  const other = new OtherShop(shop);
  await other.send('sale.created', saleOf('t1', 1));
  await shop.becomes('t1', { state: 'issued', serials: 100 });
  await other.send('sale.created', saleOf('t2', 51));
  await shop.becomes('t2', { state: 'attention', serials: 0, reasons: [{ reason: 'too_many' }] });
  await shop.map([few]);
  await shop.becomes('t2', { state: 'issued', serials: 51, reasons: [] });
  expect(await shop.order('t1')).toMatchObject({ state: 'issued', serials: 100 });
  await expectOrderBook(server, shop.ada.id);
});
