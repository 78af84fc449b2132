import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { LemonSqueezyShop } from '@tonerow/test-support/shops/lemonsqueezy.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { expect, it } from 'vitest';

const suite = apiSuite();

async function scene() {
  const shop = await suite.begin({ kind: 'lemonsqueezy' }, ({ glide, prism }) => [
    { key: 'variant:4', product_ids: [glide] },
    { key: 'product:5', product_ids: [prism] },
  ]);
  expect(shop.secret).toMatch(/^[A-Za-z0-9]{32}$/);
  return { shop, lemon: new LemonSqueezyShop(shop, suite.host) };
}
const glide = { product_id: 3, variant_id: 4, product_name: 'Glide', price: 5000, quantity: 1 };
const prism = { product_id: 5, variant_id: 6, product_name: 'Prism', price: 2500, quantity: 2 };

it('gives the serial of an order of one thing without asking anybody, at what it was in dollars by the shop', async () => {
  const { shop, lemon } = await scene();
  const email = buyer();
  const order = lemon.sell(email, [glide]);
  expect([await lemon.send(order), await lemon.send(order)]).toEqual([200, 200]);
  const known = await shop.becomes(order.id, { state: 'issued', serials: 1, email, paid: '50.00', paid_usd: 54 });
  expect(known.lines[0].rate_source).toBe('shop');
  await expectOrderBook(suite.server, shop.ada.id);
});

it('asks the API for the other items of an order, of which an event has the first alone', async () => {
  const { shop, lemon } = await scene();
  const order = lemon.sell(buyer(), [glide, prism]);
  await lemon.send(order);
  await expect
    .poll(async () => String((await shop.api('GET', `/api/shops/${shop.shopId}`)).body.trouble), { timeout: 30_000 })
    .toContain('API');
  await suite.open(shop, { key: lemon.key });
  const known = await shop.becomes(order.id, { state: 'issued', serials: 3, paid: '100.00' });
  expect(unitsOf(known).map(({ paid_usd }) => paid_usd)).toEqual([54, 27, 27]);
});

it('counts refunds that are told as what was refunded in all, takes nothing for a part and everything for the whole', async () => {
  const { shop, lemon } = await scene();
  await suite.open(shop, { key: lemon.key });
  const order = lemon.sell(buyer(), [glide], { tax: 0 });
  await lemon.send(order);
  await shop.becomes(order.id, { state: 'issued' });
  lemon.refund(order, 2000);
  await lemon.send(order, 'order_refunded');
  await shop.becomes(order.id, { state: 'attention', serials: 1, reasons: [{ reason: 'amount_refund' }] });
  lemon.refund(order, 1000);
  await lemon.send(order, 'order_refunded');
  const known = await shop.becomes(order.id, { reversals: [{ key: 'cum:2000' }, { key: 'cum:3000' }] });
  // three fifths of what it was in dollars, not two and three
  expect(unitsOf(known)[0]).toMatchObject({ paid_usd: 54, refunded_usd: 32.4 });
  lemon.refund(order, 2000);
  await lemon.send(order, 'order_refunded');
  await shop.becomes(order.id, { state: 'refunded', serials: 0 });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('issues nothing for a try on a live shop, and refuses what another secret has signed, each time that it is tried', async () => {
  const { shop, lemon } = await scene();
  await lemon.send(lemon.sell(buyer(), [glide], { test: true }));
  const forged = new LemonSqueezyShop({ address: shop.address, secret: 'another' }, suite.host);
  expect(await forged.send(forged.sell(buyer(), [glide]))).toBe(401);
  await shop.done();
  const { rows } = (await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body;
  expect(rows.map(({ serials }: { serials: number }) => serials)).toEqual(rows.map(() => 0));
});
