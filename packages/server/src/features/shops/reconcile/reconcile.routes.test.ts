import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { redeem } from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { GumroadShop } from '@tonerow/test-support/shops/gumroad.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { PaddleShop } from '@tonerow/test-support/shops/paddle.ts';
import { buyer, type ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { serveShopify, shopifyOrder, shopifyRefund } from '@tonerow/test-support/shops/shopify.ts';
import { StripeShop } from '@tonerow/test-support/shops/stripe.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ECB = `<Cube><Cube time="${new Date().toISOString().slice(0, 10)}"><Cube currency="USD" rate="1.2500"/></Cube></Cube>`;
const bank = createServer((_request, response) => response.end(ECB));
/** The settings of the suite's server, which starts after the bank has a port. */
const env: Record<string, string> = {};
beforeAll(async () => {
  await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
  env.TONEROW_RATES_URL = `http://127.0.0.1:${(bank.address() as AddressInfo).port}/eurofxref-hist-90d.xml`;
});
const suite = apiSuite(env);
// it would look at shops before their test does
beforeAll(() => suite.server.db.query("delete from pgboss.schedule where name = 'shop-reconcile-all'"));
afterAll(() => bank.close());

/** As if it had been connected an hour ago, and looked at last so long ago. */
const since = (shop: ShopScene, hours: number | null) =>
  suite.server.db.query(
    `update shop_connections set created_at = now() - interval '10 days', last_reconciled_at = now() - make_interval(hours => $2::int)
     where developer_id = $1`,
    [shop.ada.id, hours],
  );
const look = (shop: ShopScene) =>
  queueJob(suite.server.db, 'shop-reconcile', { accountId: shop.ada.id, shopId: shop.shopId });
const looked = async (shop: ShopScene) => {
  const { last_reconciled_at: before } = (await shop.api('GET', `/api/shops/${shop.shopId}`)).body;
  await look(shop);
  await expect
    .poll(async () => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body.last_reconciled_at, { timeout: 30_000 })
    .not.toBe(before);
};
const glides = [{ sku: 'GLIDE', quantity: 2, total: '98.00' }];

describe('WooCommerce', () => {
  async function scene() {
    const shop = await suite.begin({ kind: 'woocommerce' }, ({ glide }) => [{ key: 'GLIDE', product_ids: [glide] }]);
    const woo = new WooCommerceShop(shop);
    await suite.open(shop, woo.serve(suite.host));
    await since(shop, null);
    return { shop, woo };
  }

  it('whose API is opened after a refund shows what that was of', async () => {
    const shop = await suite.begin({ kind: 'woocommerce' }, ({ glide, prism }) => [
      { key: 'GLIDE', product_ids: [glide] },
      { key: 'PRISM', product_ids: [prism] },
    ]);
    const woo = new WooCommerceShop(shop);
    const two = [
      { sku: 'GLIDE', quantity: 1, total: '49.00' },
      { sku: 'PRISM', quantity: 1, total: '29.00' },
    ];
    const email = buyer();
    const order = woo.place(email, two);
    woo.pay(order);
    await woo.send(order);
    const number = String(order.id);
    const [glide] = unitsOf(await shop.becomes(number, { state: 'issued', serials: 2 }));
    await redeem(suite.server, glide.code, email, shop.ada.id);
    const prism = { id: order.line_items[1]?.id as number, quantity: 1, total: '29.00' };
    woo.refund(order, '29.00', [prism]);
    await woo.send(order);
    const asked = await shop.becomes(number, {
      state: 'attention',
      serials: 2,
      reasons: [{ reason: 'amount_refund' }],
    });
    expect(unitsOf(asked).map(({ refunded_usd }) => refunded_usd)).toEqual([18.22, 10.78]);
    await suite.open(shop, woo.serve(suite.host));
    const known = await shop.becomes(number, { state: 'issued', serials: 1, reasons: [] });
    expect(known.reversals).toMatchObject([{ lines: [{ id: String(prism.id), quantity: 1 }], amount: null }]);
    expect(unitsOf(known).map(({ state, refunded_usd }) => [state, refunded_usd])).toEqual([
      ['delivered', 0],
      ['revoked', 0],
    ]);
    await expectOrderBook(suite.server, shop.ada.id);
  });

  it('that sends nothing loses no sale: its list is read, and its owner is told that it is silent, once', async () => {
    const { shop, woo } = await scene();
    const orders = Array.from({ length: 3 }, () => woo.place(buyer(), glides));
    for (const order of orders) woo.pay(order);
    await looked(shop);
    for (const { id } of orders) await shop.becomes(String(id), { state: 'issued', serials: 2 });
    expect((await shop.api('GET', `/api/shops/${shop.shopId}`)).body).toMatchObject({
      state: 'attention',
      trouble: expect.stringContaining('webhook'),
    });
    await looked(shop);
    const { rows } = (await shop.api('GET', '/api/notifications?kind=shop')).body;
    expect(rows.map(({ title }: { title: string }) => title)).toEqual(['My shop has gone silent']);
    // it is told of after all
    for (const order of orders) await woo.send(order);
    await shop.done();
    for (const { id } of orders) expect((await shop.order(String(id))).serials).toBe(2);
    await expectOrderBook(suite.server, shop.ada.id);
  });

  it('shows which sales and refunds no report has brought, until one does', async () => {
    const { shop, woo } = await scene();
    const shown = async () => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body.missed;
    const orders = Array.from({ length: 3 }, () => woo.place(buyer(), glides));
    const [first, second, third] = orders as [
      (typeof orders)[number],
      (typeof orders)[number],
      (typeof orders)[number],
    ];
    for (const order of orders) woo.pay(order);
    await woo.send(first);
    await shop.becomes(String(first.id), { state: 'issued', found_at: null });
    expect(await shown()).toBeNull();
    await looked(shop);
    expect(await shown()).toMatchObject({ orders: 2, refunds: 0, last_at: expect.any(String) });
    await shop.becomes(String(second.id), { state: 'issued', found_at: expect.any(String) });
    // one of two refunds of one order was reported
    woo.refund(first, '49.00', [{ id: 5, quantity: 1, total: '49.00' }]);
    await woo.send(first);
    await shop.becomes(String(first.id), { serials: 1, reversals: [{ found_at: null }] });
    woo.refund(first, '49.00', [{ id: 5, quantity: 1, total: '49.00' }]);
    await looked(shop);
    expect(await shown()).toMatchObject({ orders: 2, refunds: 1 });
    const { reversals } = await shop.becomes(String(first.id), { state: 'refunded', found_at: null });
    expect(reversals.map((each: { found_at: string | null }) => each.found_at === null)).toEqual([true, false, false]);
    // they were only late
    for (const order of [first, second]) await woo.send(order);
    await shop.done();
    expect(await shown()).toMatchObject({ orders: 1, refunds: 0 });
    await woo.send(third);
    await shop.done();
    expect(await shown()).toEqual({ orders: 0, refunds: 0, last_at: null });
    await expectOrderBook(suite.server, shop.ada.id);
  });

  it('names the lines of a refund by its API, and a refund of shipping alone takes nothing', async () => {
    const { shop, woo } = await scene();
    const order = woo.place(buyer(), glides, { total: '108.00' });
    woo.pay(order);
    await woo.send(order);
    await shop.becomes(String(order.id), { state: 'issued' });
    woo.refund(order, '10.00', [], { line_items: [], shipping_lines: [{ id: 1, total: '-10.00' }] });
    await woo.send(order);
    await shop.done();
    expect(await shop.order(String(order.id))).toMatchObject({ state: 'issued', serials: 2, reversals: [] });
    woo.refund(order, '49.00', [{ id: 5, quantity: 1, total: '49.00' }]);
    await woo.send(order);
    const known = await shop.becomes(String(order.id), { serials: 1, reasons: [] });
    expect(known.reversals).toMatchObject([{ lines: [{ id: '5', quantity: 1 }], amount: null, state: 'applied' }]);
    await expectOrderBook(suite.server, shop.ada.id);
  });

  it('gives nothing for what it sold before it was connected', async () => {
    const { shop, woo } = await scene();
    const old = woo.place(buyer(), glides, { date_paid_gmt: '2020-01-01T00:00:00' });
    woo.pay(old);
    await looked(shop);
    expect(await shop.order(String(old.id))).toBeUndefined();
  });

  it('whose API refuses its key shows that, and one that is away is asked again', async () => {
    const { shop, woo } = await scene();
    const order = woo.place(buyer(), glides);
    woo.pay(order);
    suite.host.faults.push('401');
    await look(shop);
    await expect
      .poll(async () => String((await shop.api('GET', `/api/shops/${shop.shopId}`)).body.trouble), { timeout: 30_000 })
      .toContain('API');
    await looked(shop);
    await shop.becomes(String(order.id), { state: 'issued' });
  });
});

it('Stripe, Paddle and Gumroad are read to their last page, refunds too, and twice is once', async () => {
  const lines = { price: 'price_1', product: 'prod_1', quantity: 1, total: 4900 };
  const map = ({ glide }: { glide: string }) =>
    ['product:prod_1', 'product:pro_1', 'product:g1'].map((key) => ({ key, product_ids: [glide] }));
  const shops = await Promise.all([
    suite.begin({ kind: 'stripe', secret: 'whsec_0123456789' }, map),
    suite.begin({ kind: 'paddle', secret: 'pdl_ntfset_0123456789' }, map),
    suite.begin({ kind: 'gumroad' }, map),
  ]);
  const [one, two, three] = shops;
  const stripe = new StripeShop(one, suite.host);
  const paddle = new PaddleShop(two, suite.host);
  const gumroad = new GumroadShop(three, suite.host);
  for (const [shop, key] of [
    [one, stripe.key],
    [two, paddle.key],
    [three, gumroad.key],
  ] as const) {
    await suite.open(shop, { key });
    await since(shop, null);
  }
  const sessions = Array.from({ length: 5 }, () => stripe.sell(buyer(), [lines]));
  const sales = Array.from({ length: 5 }, () =>
    paddle.sell(buyer(), [{ price: 'pri_1', product: 'pro_1', quantity: 1, subtotal: 4900 }]),
  );
  const pings = Array.from({ length: 5 }, () => gumroad.sell(buyer(), 'g1'));
  const [session] = sessions as [(typeof sessions)[number]];
  stripe.refund(session, 4900);
  const [sale] = sales as [(typeof sales)[number]];
  paddle.adjustment(sale, { type: 'full', items: [] });
  Object.assign(pings[0] as object, { refunded: true });
  for (const shop of [...shops, ...shops]) await looked(shop);
  for (const shop of shops) {
    const { rows } = (await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body;
    const states = rows.map(({ state, serials }: { state: string; serials: number }) => `${state} ${serials}`).sort();
    expect(states).toEqual(['issued 1', 'issued 1', 'issued 1', 'issued 1', 'refunded 0']);
    await expectOrderBook(suite.server, shop.ada.id);
  }
});

it('Stripe: renewals that nothing reported are read from its invoices, those paid late too, where the key may read them', async () => {
  const shop = await suite.begin({ kind: 'stripe', secret: 'whsec_0123456789' }, ({ glide }) => [
    { key: 'product:prod_1', product_ids: [glide], renewals: 'issue' },
  ]);
  const stripe = new StripeShop(shop, suite.host);
  await suite.open(shop, { key: stripe.key });
  await since(shop, null);
  const day = 86_400;
  const lines = [{ price: 'price_1', product: 'prod_1', quantity: 1, total: 4900 }];
  const first = stripe.sell(buyer(), lines, { mode: 'subscription', invoice: 'in_first' });
  const now = first.created - 2 * 3600;
  const told = stripe.renew(first, { created: now });
  const lost = stripe.renew(first, { created: now });
  // two weeks after it was due, which is before the shop was connected and long before the last look
  const late = stripe.renew(first, { created: now - 14 * day, paidAt: now });
  stripe.renew(first, { created: now, paidAt: null });
  stripe.renew(first, { created: now - 20 * day, paidAt: now - 19 * day });
  stripe.renew(first, { created: now, reason: 'manual' });
  await stripe.sendRenewal(told);
  await shop.becomes(told.id, { state: 'issued', found_at: null });
  const known = async () =>
    (await shop.api('GET', `/api/shops/${shop.shopId}/orders`)).body.rows
      .map(({ external_id }: { external_id: string }) => external_id)
      .sort();
  stripe.readsInvoices = false;
  await looked(shop);
  expect(await known()).toEqual(['in_first', told.id].sort());
  expect((await shop.api('GET', `/api/shops/${shop.shopId}`)).body).toMatchObject({ state: 'active', trouble: null });
  stripe.readsInvoices = true;
  for (const hours of [30, 30]) {
    await since(shop, hours);
    await looked(shop);
    expect(await known()).toEqual(['in_first', told.id, lost.id, late.id].sort());
  }
  for (const { id } of [lost, late])
    await shop.becomes(id, { state: 'issued', serials: 1, found_at: expect.any(String) });
  // its report comes after all
  await stripe.sendRenewal(lost);
  await shop.becomes(lost.id, { state: 'issued', serials: 1, found_at: null });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('a shop whose API answers again has what waited for it worked on', async () => {
  const shop = await suite.begin({ kind: 'stripe', secret: 'whsec_0123456789' }, ({ glide }) => [
    { key: 'product:prod_1', product_ids: [glide] },
  ]);
  const stripe = new StripeShop(shop, suite.host);
  await suite.open(shop, { key: stripe.key });
  await since(shop, null);
  suite.host.faults.push('401');
  const sold = stripe.sell(buyer(), [{ price: 'price_1', product: 'prod_1', quantity: 1, total: 4900 }]);
  await stripe.sendSession(sold);
  const shown = async () => (await shop.api('GET', `/api/shops/${shop.shopId}`)).body;
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({ trouble: expect.stringContaining('API'), waiting: 1 });
  // its owner has mended the key in the shop
  await looked(shop);
  await shop.done();
  expect(await shown()).toMatchObject({ state: 'active', trouble: null });
  await shop.becomes(sold.id, { state: 'issued', serials: 1 });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('a list that is longer than one look is read on where it stopped, to its end', async () => {
  const shop = await suite.begin({ kind: 'stripe', secret: 'whsec_0123456789' }, ({ glide }) => [
    { key: 'product:prod_1', product_ids: [glide] },
  ]);
  const stripe = new StripeShop(shop, suite.host);
  await suite.open(shop, { key: stripe.key });
  await since(shop, null);
  const line = { price: 'price_1', product: 'prod_1', quantity: 1, total: 4900 };
  // two are on a page
  for (let n = 0; n < 310; n += 1) stripe.sell(buyer(), [line], { status: 'open' });
  const last = stripe.sell(buyer(), [line]);
  const from = suite.host.asked.length;
  await looked(shop);
  await shop.becomes(last.id, { state: 'issued', serials: 1 });
  const pages = suite.host.asked.slice(from).filter(({ path }) => path === '/v1/checkout/sessions');
  expect(pages).toHaveLength(156);
  expect(new Set(pages.map(({ query }) => query.get('starting_after'))).size).toBe(156);
  const { rows } = (await shop.api('GET', '/api/notifications?kind=shop')).body;
  expect(rows.map(({ title }: { title: string }) => title)).toEqual(['My shop has gone silent']);
});

it.each(['repeats', 'goes on'] as const)(
  'a list that %s without an end is given up, which is shown, and tried again in a day',
  async (lie) => {
    const map = ({ glide }: { glide: string }) => [{ key: 'product:g1', product_ids: [glide] }];
    const [honest, shop] = [await suite.begin({ kind: 'gumroad' }, map), await suite.begin({ kind: 'gumroad' }, map)];
    const gumroad = new GumroadShop(shop, suite.host);
    for (const each of [honest, shop]) {
      await suite.open(each, { key: gumroad.key });
      await since(each, 2);
    }
    gumroad.sell(buyer(), 'g1');
    gumroad.lie = lie;
    // almost at its end
    const cursor = { began: new Date(), missed: 0, page: null, pages: lie === 'repeats' ? 0 : 9995, mark: null };
    const keep = 'update shop_connections set cursor = $2 where developer_id = $1';
    await suite.server.db.query(keep, [shop.ada.id, JSON.stringify(cursor)]);
    const from = suite.host.asked.length;
    await looked(shop);
    const pages = suite.host.asked.slice(from).filter(({ path }) => path === '/v2/sales');
    expect(pages.length).toBeLessThan(10);
    await shop.becomes('4711', { state: 'issued' });
    const shown = async (of = shop) => (await of.api('GET', `/api/shops/${of.shopId}`)).body;
    const { last_reconciled_at } = await shown();
    expect(await shown()).toMatchObject({ state: 'attention', trouble: expect.stringContaining('API') });
    const { rows } = (await shop.api('GET', '/api/notifications?kind=shop')).body;
    expect(rows.map(({ title }: { title: string }) => title)).toEqual(['My shop needs a look']);
    // both are due, and one of them is looked at
    gumroad.lie = null;
    for (const each of [honest, shop]) await since(each, 2);
    const due = await shown();
    expect(due.last_reconciled_at).not.toBe(last_reconciled_at);
    const before = (await shown(honest)).last_reconciled_at;
    await queueJob(suite.server.db, 'shop-reconcile-all');
    await expect.poll(async () => (await shown(honest)).last_reconciled_at, { timeout: 30_000 }).not.toBe(before);
    expect((await shown()).last_reconciled_at).toBe(due.last_reconciled_at);
    await looked(shop);
    expect(await shown()).toMatchObject({ state: 'active', trouble: null });
  },
);

it('Shopify is read by an app of the seller’s own, to the last page, with what was refunded', async () => {
  const shop = await suite.begin({ kind: 'shopify', secret: 'the_key_of_the_shop_0123456789' }, ({ glide }) => [
    { key: 'GLIDE', product_ids: [glide] },
  ]);
  const now = new Date().toISOString();
  const orders = [7001, 7002, 7003].map((id) =>
    shopifyOrder(id, 1, { email: buyer(), updated_at: now, processed_at: now, created_at: now }),
  );
  const opens = serveShopify(suite.host, orders, [shopifyRefund(91, 7003)]);
  const refused = await shop.api('PUT', `/api/shops/${shop.shopId}/credentials`, { ...opens, secret: 'another' });
  expect([refused.status, refused.text.includes('another')]).toEqual([400, false]);
  await suite.open(shop, opens);
  await since(shop, null);
  await looked(shop);
  await shop.becomes('#7001', { state: 'issued', serials: 2, paid: '88.20' });
  await shop.becomes('#7002', { state: 'issued', serials: 2 });
  await shop.becomes('#7003', { state: 'issued', serials: 1, reversals: [{ key: '91', state: 'applied' }] });
  await expectOrderBook(suite.server, shop.ada.id);
});

it('the day’s rates are read from the bank, and a sale in euros is counted by them', async () => {
  const shop = await suite.begin({ kind: 'woocommerce' }, ({ glide }) => [{ key: 'GLIDE', product_ids: [glide] }]);
  await queueJob(suite.server.db, 'shop-rates');
  const known = () => suite.server.db.query("select usd from shop_rates where currency = 'EUR'");
  await expect.poll(known, { timeout: 30_000 }).toEqual([{ usd: '1.2500000000' }]);
  const woo = new WooCommerceShop(shop);
  const order = woo.place(buyer(), glides, { currency: 'EUR' });
  woo.pay(order);
  await woo.send(order);
  const sold = await shop.becomes(String(order.id), { state: 'issued', paid: '98.00', paid_usd: 122.5 });
  expect(sold.lines[0]).toMatchObject({ rate: '1.2500000000', rate_source: 'day' });
  expect(unitsOf(sold).map(({ paid_usd }) => paid_usd)).toEqual([61.25, 61.25]);
});
