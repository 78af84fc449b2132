import { call, redeem } from '@tonerow/test-support/http.ts';
import { apiSuite } from '@tonerow/test-support/shops/api-scene.ts';
import { FastSpringShop, fastspringOrder } from '@tonerow/test-support/shops/fastspring.ts';
import { expectOrderBook } from '@tonerow/test-support/shops/order-book.ts';
import { buyer, type ShopScene, unitsOf } from '@tonerow/test-support/shops/scene.ts';
import { ShopifyShop, shopifyOrder, shopifyRefund } from '@tonerow/test-support/shops/shopify.ts';
import { WooCommerceShop } from '@tonerow/test-support/shops/woocommerce.ts';
import { expect, it } from 'vitest';

// A developer connects a shop for this: from the address that they paste to the plugin that stops. It is the same in
// each shop, with the reports that each of them really sends.

const suite = apiSuite();

/** A shop where two products were sold to somebody, of which one is refunded later. */
interface Sold {
  number: string;
  /** Takes back the one of `GLIDE`, in the shop. */
  refund(): Promise<unknown>;
}

interface Journey {
  kind: string;
  secret?: string;
  /** Under which keys the two products are sold. */
  keys: [string, string];
  /** Connects the shop’s side and sells both to an address, each for 49 and 29 dollars. */
  sell(shop: ShopScene, email: string): Promise<Sold>;
}

const KEY = 'the_key_of_the_shop_0123456789';

const journeys: Journey[] = [
  {
    kind: 'woocommerce',
    keys: ['GLIDE', 'PRISM'],
    async sell(shop, email) {
      const woo = new WooCommerceShop(shop);
      expect(await woo.ping()).toBe(200);
      // only its API names the lines of a refund
      await suite.open(shop, woo.serve(suite.host));
      const order = woo.place(email, [
        { sku: 'GLIDE', quantity: 1, total: '49.00' },
        { sku: 'PRISM', quantity: 1, total: '29.00' },
      ]);
      woo.pay(order);
      await woo.send(order, 'order.created');
      const [glide] = order.line_items;
      return {
        number: String(order.id),
        refund: () => {
          woo.refund(order, '49.00', [{ id: glide?.id as number, quantity: 1, total: '49.00' }]);
          return woo.send(order);
        },
      };
    },
  },
  {
    kind: 'shopify',
    secret: KEY,
    keys: ['GLIDE', 'PRISM'],
    async sell(shop, email) {
      const shopify = new ShopifyShop({ address: shop.address, key: KEY });
      const order = shopifyOrder(7001, 1, { email });
      const [line] = order.line_items as [(typeof order.line_items)[0]];
      const { price_set } = line;
      const priced = (amount: string) => ({ ...price_set, shop_money: { ...price_set.shop_money, amount } });
      order.line_items = [
        { ...line, quantity: 1, current_quantity: 1, discount_allocations: [] },
        {
          ...line,
          ...{ id: 70_011, sku: 'PRISM', title: 'Prism', product_id: 3, variant_id: 4, price: '29.00' },
          quantity: 1,
          current_quantity: 1,
          price_set: priced('29.00'),
          discount_allocations: [],
        },
      ];
      await shopify.send('orders/paid', order, { times: 2 });
      return {
        number: '#7001',
        refund: () =>
          shopify.send(
            'refunds/create',
            shopifyRefund(92, 7001, {
              refund_line_items: [{ line_item_id: line.id, quantity: 1, subtotal_set: price_set }],
              transactions: [{ kind: 'refund', status: 'success', amount: '49.00' }],
            }),
          ),
      };
    },
  },
  {
    kind: 'fastspring',
    keys: ['product:glide', 'product:prism'],
    async sell(shop, email) {
      const fastspring = new FastSpringShop(shop, suite.host);
      await suite.open(shop, fastspring.credentials);
      const item = (product: string, dollars: number) => ({
        ...{ product, sku: product.toUpperCase(), quantity: 1, subtotal: dollars, discount: 0 },
        subtotalInPayoutCurrency: dollars,
      });
      const items = [item('glide', 49), item('prism', 29)];
      const order = fastspringOrder('ACM-J1', email, { currency: 'USD', subtotal: 78, total: 78, tax: 0, items });
      await fastspring.send(fastspring.event('order.completed', order));
      return {
        number: 'ACM-J1',
        refund: () =>
          fastspring.send(
            fastspring.event('return.created', {
              return: 'r-J1',
              original: { id: 'id-of-ACM-J1', reference: 'ACM-J1' },
              items: [{ product: 'glide', quantity: 1, subtotal: 49, refundType: 'Full Refund' }],
              currency: 'USD',
            }),
          ),
      };
    },
  },
];

it.each(journeys)(
  'a sale in $kind is emailed, redeemed and activated, and a refund of one there ends it in the plugin and in the books',
  async ({ kind, secret, keys, sell }) => {
    const { server } = suite;
    const shop = await suite.begin({ kind, ...(secret ? { secret } : {}) }, ({ glide, prism }) => [
      { key: keys[0], product_ids: [glide] },
      { key: keys[1], product_ids: [prism] },
    ]);
    // a plugin that is refunded loses it, also when it is redeemed
    await shop.api('PATCH', `/api/shops/${shop.shopId}`, { on_refund: 'revoke' });
    const email = buyer();
    const { number, refund } = await sell(shop, email);
    const order = await shop.becomes(number, { state: 'issued', email, serials: 2, paid_usd: 78 });
    const codeOf = (productId: string): string =>
      unitsOf(order).find(({ product_id }) => product_id === productId)?.code;
    const [glide, prism] = [codeOf(shop.glide.id), codeOf(shop.prism.id)];
    const sent = await server.email(({ to }) => to?.[0]?.address === email);
    expect(sent.text).toContain(glide);
    expect(sent.text).toContain(prism);

    for (const code of [glide, prism]) expect((await redeem(server, code, email, shop.ada.id)).status).toBe(200);
    const made = await shop.api('POST', '/api/developer/plugin-keys', {});
    const plugin = (verb: string, license_key: string) =>
      call(server, 'POST', `/api/license/v1/${verb}`, {
        token: made.body.plaintext,
        body: { license_key, machine_id: `studio-${kind}`, email },
      });
    for (const code of [glide, prism]) expect((await plugin('activate', code)).body).toMatchObject({ ok: true });
    const figures = async () => {
      const { shops } = (await shop.api('GET', '/api/analytics/shops')).body;
      return shops.map(({ orders, paid, redemptions, revenue, refunded }: Record<string, number>) => {
        return { orders, paid, redemptions, revenue, refunded };
      });
    };
    expect(await figures()).toEqual([{ orders: 1, paid: 78, redemptions: 2, revenue: 78, refunded: 0 }]);

    await refund();
    const after = await shop.becomes(number, { serials: 1 });
    expect(unitsOf(after).map(({ code, state, refunded_usd }) => [code, state, refunded_usd])).toEqual([
      [glide, 'revoked', 49],
      [prism, 'delivered', 0],
    ]);
    const [dead, alive] = [await plugin('validate', glide), await plugin('validate', prism)];
    expect([dead.body.ok, dead.body.status]).toEqual([false, 'revoked']);
    expect(alive.body).toMatchObject({ ok: true });
    // analytics, the order book and the ledger have the same of it
    expect(await figures()).toMatchObject([{ orders: 1, redemptions: 2, refunded: 49 }]);
    const book = await call(server, 'GET', '/api/shop-orders', {
      token: shop.ada.token,
      headers: { accept: 'text/csv' },
    });
    const [head = '', ...lines] = book.text.replace(/^\uFEFF/, '').split('\r\n');
    const cells = lines.find((line) => line.includes(glide))?.split(',');
    const cell = (name: string) => Number(cells?.[head.split(',').indexOf(name)]);
    expect([cell('Quantity'), cell('USD'), cell('Refunded USD')], book.text).toEqual([1, 49, 49]);
    await expectOrderBook(server, shop.ada.id);
  },
  90_000,
);
