import type { ApiHost } from './api-host.ts';
import { FastSpringShop, fastspringOrder } from './fastspring.ts';
import { GumroadShop } from './gumroad.ts';
import { LemonSqueezyShop } from './lemonsqueezy.ts';
import { PaddleShop } from './paddle.ts';
import { ShopifyShop, serveShopify, shopifyOrder, shopifyRefund } from './shopify.ts';
import { StripeShop } from './stripe.ts';
import { WooCommerceShop } from './woocommerce.ts';

/** A shop that somebody has connected, and what can be done in it. It sells one thing, for about 49 dollars, and some sell a second. */
export interface StandIn {
  /** Under which it is mapped. */
  sells: string;
  /** The second thing. */
  alsoSells?: string;
  /** The credentials for its API. */
  opens: { address?: string; key?: string; secret?: string; license_key?: string };
  /** @param both things, where it has a second. @returns the shop's id of the order, and what its address answered. */
  buy(email: string, both?: boolean): Promise<{ order: string; status: number | undefined }>;
  /** @param only this thing of an order; without it, all of it. @returns what its address answered. */
  refund(order: string, only?: string): Promise<number | undefined>;
  /** Asks for the codes of an order while its customer waits. @returns what is printed as codes; null: none is. */
  license?(order: string): Promise<string[] | null>;
}

export interface Connected {
  address: string;
  /** Gumroad does not use it. */
  secret: string;
}

const PRICE = '49.00';
const SECOND_PRICE = '29.00';
const CENTS = 4900;

/** A stand-in of each kind, for code that wants a sale in any shop. */
export const standIns = {
  woocommerce(connected, host) {
    const woo = new WooCommerceShop(connected);
    return {
      sells: 'GLIDE',
      alsoSells: 'TIDE',
      opens: woo.serve(host),
      async buy(email, both = false) {
        const tide = { sku: 'TIDE', quantity: 1, total: SECOND_PRICE };
        const order = woo.place(email, [{ sku: 'GLIDE', quantity: 1, total: PRICE }, ...(both ? [tide] : [])]);
        woo.pay(order, 'completed');
        return { order: String(order.id), status: await woo.send(order, 'order.created') };
      },
      async refund(number, only?: string) {
        const order = known(woo.orders.get(Number(number)));
        const lines = order.line_items.filter(({ sku }) => only === undefined || sku === only);
        known(lines[0]);
        const amount = lines.reduce((sum, { total }) => sum + Number(total), 0).toFixed(2);
        woo.refund(order, amount, lines);
        return woo.send(order);
      },
    };
  },

  shopify({ address, secret }, host) {
    const shopify = new ShopifyShop({ address, key: secret });
    const orders: ReturnType<typeof shopifyOrder>[] = [];
    const refunds: ReturnType<typeof shopifyRefund>[] = [];
    let next = Math.floor(Date.now() / 1000);
    return {
      sells: 'GLIDE',
      alsoSells: 'TIDE',
      opens: serveShopify(host, orders, refunds),
      async buy(email, both = false) {
        next += 1;
        const at = new Date().toISOString();
        const order = { ...shopifyOrder(next, 0), email, created_at: at, processed_at: at, updated_at: at };
        const [glide] = order.line_items;
        const tide = { sku: 'TIDE', title: 'Tide', variant_id: 3, quantity: 1, current_quantity: 1 };
        if (both && glide) order.line_items.push({ ...glide, ...tide, id: glide.id + 1 });
        orders.push(order);
        return { order: `#${next}`, status: await shopify.send('orders/paid', order) };
      },
      refund(number, only?: string) {
        const order = known(orders.find(({ name }) => name === number));
        const lines = order.line_items.filter(({ sku }) => only === undefined || sku === only);
        known(lines[0]);
        const refund = { ...shopifyRefund(Date.now(), order.id), created_at: new Date().toISOString() };
        refund.refund_line_items = lines.map(({ id, quantity, price_set }) => ({
          line_item_id: id,
          quantity,
          subtotal_set: price_set,
        }));
        refunds.push(refund);
        return shopify.send('refunds/create', refund);
      },
    };
  },

  fastspring(connected, host) {
    const fastspring = new FastSpringShop(connected, host);
    const orders = new Map<string, ReturnType<typeof fastspringOrder>>();
    let next = 0;
    return {
      sells: 'product:glide',
      alsoSells: 'product:tide',
      opens: fastspring.credentials,
      async buy(email, both = false) {
        next += 1;
        const reference = `ACM-${Date.now()}-${next}`;
        const order = fastspringOrder(reference, email);
        const [glide] = order.items;
        if (both && glide) order.items.push({ ...glide, product: 'tide', sku: 'TIDE' });
        orders.set(reference, order);
        return { order: reference, status: await fastspring.send(fastspring.event('order.completed', order)) };
      },
      refund(reference, only?: string) {
        const order = known(orders.get(reference));
        const items = order.items
          .filter(({ product }) => only === undefined || `product:${product}` === only)
          .map(({ product, quantity, subtotal }) => ({ product, quantity, subtotal, refundType: 'Full Refund' }));
        known(items[0]);
        next += 1;
        const original = { id: order.id, reference };
        const back = { return: `r-${reference}-${next}`, original, items, currency: 'EUR' };
        return fastspring.send(fastspring.event('return.created', back));
      },
      async license(reference) {
        const order = known(orders.get(reference));
        const { email, first, last } = order.customer;
        const asked = order.items.map(({ product, quantity }) =>
          fastspring.license({
            reference,
            internalProductName: product,
            quantity: String(quantity),
            email,
            name: `${first} ${last}`,
            test: 'false',
          }),
        );
        const codes = (await Promise.all(asked)).flatMap((each) => each ?? []);
        return codes.length > 0 ? codes : null;
      },
    };
  },

  stripe(connected, host) {
    const stripe = new StripeShop(connected, host);
    return {
      sells: 'variant:price_glide',
      opens: { key: stripe.key },
      async buy(email) {
        const line = { price: 'price_glide', product: 'prod_glide', quantity: 1, total: CENTS };
        const session = stripe.sell(email, [line]);
        return { order: session.id, status: await stripe.sendSession(session) };
      },
      refund(id) {
        const session = known(stripe.sessions.get(id));
        return stripe.send('refund.created', stripe.refund(session, CENTS));
      },
    };
  },

  paddle(connected, host) {
    const paddle = new PaddleShop(connected, host);
    return {
      sells: 'variant:pri_glide',
      opens: { key: paddle.key },
      async buy(email) {
        const line = { price: 'pri_glide', product: 'pro_glide', quantity: 1, subtotal: CENTS };
        const sale = paddle.sell(email, [line]);
        return { order: sale.id, status: await paddle.sendSale(sale) };
      },
      refund(id) {
        const sale = known(paddle.sales.get(id));
        return paddle.send('adjustment.created', paddle.adjustment(sale, { type: 'full' }));
      },
    };
  },

  lemonsqueezy(connected, host) {
    const lemon = new LemonSqueezyShop(connected, host);
    return {
      sells: 'variant:4',
      opens: { key: lemon.key },
      async buy(email) {
        const item = { product_id: 3, variant_id: 4, product_name: 'Glide', price: CENTS, quantity: 1 };
        const order = lemon.sell(email, [item], { currency: 'USD', tax: 0, usdRate: 1 });
        return { order: order.id, status: await lemon.send(order) };
      },
      refund(id) {
        const order = known(lemon.orders.get(id));
        lemon.refund(order, CENTS);
        return lemon.send(order, 'order_refunded');
      },
    };
  },

  gumroad(connected, host) {
    const gumroad = new GumroadShop(connected, host);
    return {
      sells: 'product:glide==',
      opens: { key: gumroad.key },
      async buy(email) {
        const sale = gumroad.sell(email, 'glide==', { price: CENTS });
        return { order: sale.id, status: await gumroad.send(sale) };
      },
      async refund(id) {
        const sale = known(gumroad.sales.get(id));
        Object.assign(sale, { refunded: true, refundedCents: CENTS });
        // nothing comes before the shop is opened: it subscribes then
        const [status] = await gumroad.sendTo('refund', sale);
        return status;
      },
    };
  },
} satisfies Record<string, (connected: Connected, host: ApiHost) => StandIn>;

export type StandInKind = keyof typeof standIns;
export const standInKinds = Object.keys(standIns) as StandInKind[];

function known<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('There is no such order, or it has no such item.');
  return thing;
}
