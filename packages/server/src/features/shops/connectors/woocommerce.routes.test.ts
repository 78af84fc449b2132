import { redeem } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function scene(items?: readonly object[]) {
  const shop = await ShopScene.begin(server, { kind: 'woocommerce' }, items);
  return { shop, woo: new WooCommerceShop(shop) };
}
const glides = (quantity = 2, total = '88.20') => [{ sku: 'GLIDE', quantity, total }];

it('answers the form that saving a webhook sends, which is not signed, and does nothing about it', async () => {
  const { shop, woo } = await scene([]);
  expect(await woo.ping()).toBe(200);
  const shown = (await shop.api('GET', `/api/shops/${shop.shopId}`)).body;
  expect([shown.last_event_at, shown.waiting]).toEqual([null, 0]);
  expect(
    await new WooCommerceShop({ address: shop.address, secret: 'another' }).send(woo.place(buyer(), glides())),
  ).toBe(401);
});

it('gives serials once when an order is processing and then completed, for what was paid without tax', async () => {
  const { shop, woo } = await scene();
  const email = buyer();
  const order = woo.place(email, [...glides(), { sku: 'PRISM', quantity: 1, total: '29.00' }]);
  await woo.send(order, 'order.created');
  const number = String(order.id);
  await shop.becomes(number, { state: 'pending', email, country: 'DE' });
  woo.pay(order);
  await woo.send(order);
  const issued = unitsOf(await shop.becomes(number, { state: 'issued', serials: 3 }));
  expect(issued.map(({ paid_usd }) => paid_usd)).toEqual([44.1, 44.1, 29]);
  woo.pay(order, 'completed');
  await woo.send(order);
  await woo.send(order);
  await shop.done();
  expect(unitsOf(await shop.order(number))).toEqual(issued);
  await expectOrderBook(server, shop.ada.id);
});

it('keeps two orders of one second apart, whose deliveries have one id', async () => {
  const { shop, woo } = await scene();
  const orders = [woo.place(buyer(), glides(1)), woo.place(buyer(), glides(1))];
  for (const order of orders) woo.pay(order, 'completed');
  expect(await Promise.all(orders.map((order) => woo.send(order, 'order.created')))).toEqual([200, 200]);
  for (const { id } of orders) await shop.becomes(String(id), { state: 'issued', serials: 1 });
});

it('finds what is sold by its variation, its product or its SKU, the closest first', async () => {
  const { shop, woo } = await scene([]);
  await shop.map([
    { key: 'GLIDE', product_ids: [shop.prism.id] },
    { key: 'product:9', product_ids: [shop.prism.id] },
    { key: 'variant:77', product_ids: [shop.glide.id] },
  ]);
  const order = woo.place(buyer(), glides(1));
  Object.assign(order.line_items[0] as object, { variation_id: 77 });
  woo.pay(order);
  await woo.send(order);
  const { lines } = await shop.becomes(String(order.id), { state: 'issued' });
  expect([lines[0].keys, lines[0].product_ids]).toEqual([['variant:77', 'product:9', 'GLIDE'], [shop.glide.id]]);
});

it('keeps every serial for an amount that is refunded, and takes all when the amounts come to everything', async () => {
  const { shop, woo } = await scene();
  const email = buyer();
  const order = woo.place(email, glides());
  woo.pay(order);
  await woo.send(order);
  const number = String(order.id);
  const [unit] = unitsOf(await shop.becomes(number, { state: 'issued' }));
  await redeem(server, unit.code, email, shop.ada.id);
  woo.refund(order, '44.10');
  await woo.send(order);
  await shop.becomes(number, { state: 'attention', serials: 2, reasons: [{ reason: 'amount_refund' }] });
  // two equal ones are two
  woo.refund(order, '44.10');
  await woo.send(order);
  const { reversals } = await shop.becomes(number, { state: 'refunded', serials: 0, reasons: [] });
  expect(reversals.map(({ amount, whole }: { amount: string; whole: boolean }) => [amount, whole])).toEqual([
    ['44.10', false],
    ['44.10', false],
    [null, true],
  ]);
  const [booked] = await server.db.query(
    'select sum(revenue_cents)::int as cents from ledger_adjustments where developer_id = $1',
    [shop.ada.id],
  );
  expect(booked).toEqual({ cents: -4410 });
  await expectOrderBook(server, shop.ada.id);
});

it('books half of the revenue when half of what was paid is refunded, of which a part was tax', async () => {
  const { shop, woo } = await scene();
  const email = buyer();
  const order = woo.place(email, glides(2, '98.00'), { total: '116.62' });
  woo.pay(order);
  await woo.send(order);
  const number = String(order.id);
  const units = unitsOf(await shop.becomes(number, { state: 'issued', paid: '98.00' }));
  for (const { code } of units) await redeem(server, code, email, shop.ada.id);
  woo.refund(order, '58.31');
  await woo.send(order);
  const known = await shop.becomes(number, { state: 'attention', serials: 2, reversals: [{ amount: '58.31' }] });
  expect(unitsOf(known).map(({ refunded_usd }) => refunded_usd)).toEqual([24.5, 24.5]);
  const [booked] = await server.db.query(
    'select sum(revenue_cents)::int as cents from ledger_adjustments where developer_id = $1',
    [shop.ada.id],
  );
  expect(booked).toEqual({ cents: -4900 });
  await expectOrderBook(server, shop.ada.id);
});

it('takes all of an order that is set to refunded by hand, which names no refund', async () => {
  const { shop, woo } = await scene();
  const order = woo.place(buyer(), glides());
  woo.pay(order);
  await woo.send(order);
  await shop.becomes(String(order.id), { state: 'issued' });
  woo.turn(order, 'refunded');
  await woo.send(order);
  await shop.becomes(String(order.id), { state: 'refunded', serials: 0 });
  await expectOrderBook(server, shop.ada.id);
});

it('asks about an order that is given up after it was paid, and does nothing about one that is deleted', async () => {
  const { shop, woo } = await scene();
  const order = woo.place(buyer(), glides());
  woo.pay(order);
  await woo.send(order);
  const number = String(order.id);
  await shop.becomes(number, { state: 'issued' });
  woo.turn(order, 'failed');
  await woo.send(order);
  await shop.becomes(number, { state: 'attention', serials: 2, reasons: [{ reason: 'canceled' }] });
  expect(await woo.send(order, 'order.deleted')).toBe(200);
  await shop.done();
  const { deliveries } = await shop.becomes(number, { serials: 2 });
  expect(deliveries[0]).toMatchObject({ event: 'order.deleted', state: 'ignored', why: expect.any(String) });
});

it('shows it when the user who owns the webhook is gone: it is signed, and has no order', async () => {
  const { shop, woo } = await scene();
  const order = woo.place(buyer(), glides());
  woo.owner = 'gone';
  // it is answered all the same, or the shop would switch the webhook off
  for (let times = 0; times < 7; times += 1) expect(await woo.send(order)).toBe(200);
  expect(woo.isActive).toBe(true);
  const shown = async () => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body;
  expect(await shown()).toMatchObject({ state: 'attention', trouble: expect.stringContaining('user') });
  woo.owner = 'there';
  woo.pay(order);
  await woo.send(order);
  await shop.becomes(String(order.id), { state: 'issued' });
  expect(await shown()).toMatchObject({ state: 'active', trouble: null });
});

it('is switched off by the shop after failures in a row, which a forged secret makes and nothing of ours does', async () => {
  const { shop } = await scene();
  const forged = new WooCommerceShop({ address: shop.address, secret: 'another' });
  const order = forged.place(buyer(), glides());
  for (let times = 0; times < 6; times += 1) expect(await forged.send(order)).toBe(401);
  expect(await forged.send(order)).toBeUndefined();
});
