import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { ShopifyShop, shopifyOrder, shopifyRefund } from '@tonerow/test-support/shops/shopify.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const KEY = 'the_key_of_the_shop_0123456789';
async function scene(fields: object = {}) {
  const shop = await ShopScene.begin(server, { kind: 'shopify', secret: KEY, ...fields });
  return { shop, shopify: new ShopifyShop({ address: shop.address, key: KEY }) };
}

it('gives serials when an order is paid, once, for what was paid after reductions, in the shop’s own money', async () => {
  const { shop, shopify } = await scene();
  const email = buyer();
  const order = shopifyOrder(5501, 1, { email, financial_status: 'pending' });
  await shopify.send('orders/create', order);
  await shop.becomes('#5501', { state: 'pending', email, country: 'DE', first_name: 'Nina' });
  const paid = { ...order, financial_status: 'paid', updated_at: '2026-11-26T10:05:00+01:00' };
  // repeated with its id, and told of once more by another subscription
  await shopify.send('orders/paid', paid, { times: 3 });
  await shopify.send('orders/updated', paid);
  const issued = unitsOf(await shop.becomes('#5501', { state: 'issued', serials: 2, paid: '88.20' }));
  expect(issued.map(({ paid_usd }) => paid_usd)).toEqual([44.1, 44.1]);
  await shop.done();
  expect((await shop.order('#5501')).deliveries).toHaveLength(3);
  const emailed = await server.email(({ to }) => to?.[0]?.address === email);
  expect(emailed.subject).toBe('Ihre Codes für Audio-Plugins');
  await expectOrderBook(server, shop.ada.id);
});

it('has what was noted by its variant mapped once its SKU is, and nothing of it is unmapped then', async () => {
  const shop = await ShopScene.begin(server, { kind: 'shopify', secret: KEY }, []);
  const shopify = new ShopifyShop({ address: shop.address, key: KEY });
  await shopify.send('orders/paid', shopifyOrder(5520, 1));
  await shop.becomes('#5520', { state: 'attention', reasons: [{ reason: 'unmapped' }] });
  const keys = async () =>
    (await shop.api('GET', `/api/shops/${shop.shopId}/items`)).body.rows.map(({ key }: { key: string }) => key);
  expect(await keys()).toEqual(['variant:2']);
  await shop.map([{ key: 'GLIDE', product_ids: [shop.glide.id] }]);
  await shop.becomes('#5520', { state: 'issued', serials: 2 });
  expect(await keys()).toEqual(['GLIDE']);
});

it('takes the tax out of prices that have it in them', async () => {
  const { shop, shopify } = await scene();
  await shopify.send('orders/paid', shopifyOrder(5502, 1, { taxes_included: true }));
  await shop.becomes('#5502', { state: 'issued', paid: '73.20' });
});

it('takes back what a refund names, asks about an amount, and takes no gift card for a plugin', async () => {
  const { shop, shopify } = await scene();
  const order = shopifyOrder(5503, 1);
  order.line_items.push({ ...(order.line_items[0] as (typeof order.line_items)[0]), id: 9, ...{ gift_card: true } });
  await shopify.send('refunds/create', shopifyRefund(91, 5503));
  await shopify.send('orders/paid', order);
  const first = await shop.becomes('#5503', { state: 'issued', serials: 1 });
  expect(first.lines).toHaveLength(1);
  expect(unitsOf(first).map(({ state }) => state)).toEqual(['delivered', 'revoked']);
  const transactions = [
    { kind: 'refund', status: 'success', amount: '3.005' },
    { kind: 'refund', status: 'failure', amount: '90.00' },
    { kind: 'void', status: 'success', amount: '50.00' },
  ];
  await shopify.send('refunds/create', shopifyRefund(92, 5503, { refund_line_items: [], transactions }));
  const { reversals } = await shop.becomes('#5503', { state: 'attention', serials: 1 });
  expect(
    reversals.map(({ key, amount, state }: { key: string; amount: string; state: string }) => [key, amount, state]),
  ).toEqual([
    ['91', null, 'applied'],
    ['92', '3.005', 'asked'],
  ]);
  await expectOrderBook(server, shop.ada.id);
});

it('flags an inquiry, suspends for a chargeback, and gives the same codes back when it is won', async () => {
  const { shop, shopify } = await scene();
  await shopify.send('orders/paid', shopifyOrder(5504, 1));
  const before = unitsOf(await shop.becomes('#5504', { state: 'issued' }));
  const dispute = {
    id: 7,
    order_id: 5504,
    type: 'inquiry',
    amount: '88.20',
    currency: 'USD',
    status: 'needs_response',
  };
  await shopify.send('disputes/create', { ...dispute, id: 6 });
  await shop.becomes('#5504', { state: 'attention', serials: 2, reasons: [{ reason: 'inquiry' }] });
  await shopify.send('disputes/create', { ...dispute, type: 'chargeback' });
  await shop.becomes('#5504', { reversals: [{ kind: 'inquiry' }, { kind: 'chargeback', state: 'applied' }] });
  expect(unitsOf(await shop.order('#5504')).map(({ state }) => state)).toEqual(['suspended', 'suspended']);
  await shopify.send('disputes/update', { ...dispute, type: 'chargeback', status: 'won' });
  await shop.becomes('#5504', { reversals: [{}, { state: 'undone' }, { kind: 'reinstatement' }] });
  expect(unitsOf(await shop.order('#5504')).map(({ code }) => code)).toEqual(before.map(({ code }) => code));
  await expectOrderBook(server, shop.ada.id);
});

it('keeps ids that are too large for a number, as “Send test” has them, and issues test codes for a test', async () => {
  const { shop, shopify } = await scene();
  const text = JSON.stringify(
    shopifyOrder(5505, 1, { test: true, name: '#9999', note: 'not 820982911946154508, but a "quoted" text' }),
  )
    .replace('"id":5505', '"id":820982911946154508')
    .replace('"id":55050', '"id":866550311766439020');
  await shopify.send('orders/paid', text);
  const order = await shop.becomes('#9999', { state: 'issued', test: true, external_id: '820982911946154508' });
  expect(order.lines[0].id).toBe('866550311766439020');
  for (const { code, serial_id } of unitsOf(order))
    expect([code.slice(0, 10), serial_id]).toEqual(['TEST-ACTV-', null]);
});

it('gives the codes of an order without an address, as at a till, to the seller', async () => {
  const { shop, shopify } = await scene();
  const till = { email: null, contact_email: null, source_name: 'pos', customer: null };
  await shopify.send('orders/create', shopifyOrder(5506, 1, till));
  await shop.becomes('#5506', { state: 'attention', serials: 2, reasons: [{ reason: 'no_email' }] });
});

it('refuses what another key has signed, until the shop has given up, and ignores what it does not know', async () => {
  const { shop, shopify } = await scene();
  const forged = new ShopifyShop({ address: shop.address, key: 'another' });
  expect(await forged.send('orders/paid', shopifyOrder(5507, 1))).toBe(401);
  expect(forged.isSubscribed).toBe(false);
  expect(await shopify.send('products/update', { id: 1 })).toBe(200);
  await shop.done();
  expect((await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body.rows).toEqual([]);
});
