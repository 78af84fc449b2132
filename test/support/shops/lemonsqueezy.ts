import { createHmac } from 'node:crypto';
import { type ApiHost, answer, send } from './api-host.ts';

interface Item {
  id: number;
  product_id: number;
  variant_id: number;
  product_name: string;
  price: number;
  quantity: number;
}
interface Order {
  id: string;
  email: string;
  currency: string;
  tax: number;
  usdRate: number;
  items: Item[];
  status: string;
  refunded: number;
  updated: Date;
  test: boolean;
}

/** The first try counts, too. */
const MOST_TRIES = 4;

/** A Lemon Squeezy store: an event has the first item alone, no id and no time; it is tried four times, and only has what was refunded in all. */
export class LemonSqueezyShop {
  readonly key = 'lemon_api_key_0123456789';
  readonly orders = new Map<string, Order>();
  readonly #address: string;
  readonly #secret: string;
  #next = 100;

  constructor({ address, secret }: { address: string; secret: string }, host: ApiHost) {
    this.#address = address;
    this.#secret = secret;
    host.serve('lemonsqueezy', ({ path, query, authorization }) => {
      if (authorization !== `Bearer ${this.key}`) return answer({ status: 401, json: {} });
      if (path === '/v1/orders')
        return {
          data: [...this.orders.values()].reverse().map((order) => ({ id: order.id, attributes: attributesOf(order) })),
        };
      if (path === '/v1/order-items') {
        const order = this.orders.get(query.get('filter[order_id]') ?? '');
        return { data: (order?.items ?? []).map(({ id, ...attributes }) => ({ id: String(id), attributes })) };
      }
      return undefined;
    });
  }

  sell(email: string, items: Omit<Item, 'id'>[], fields: Partial<Order> = {}): Order {
    this.#next += 1;
    const order: Order = {
      id: String(this.#next * 7),
      email,
      currency: 'EUR',
      tax: 900,
      usdRate: 1.08,
      items: items.map((item, n) => ({ id: this.#next * 10 + n, ...item })),
      status: 'paid',
      refunded: 0,
      updated: new Date(Date.now() - 60_000),
      test: false,
      ...fields,
    };
    this.orders.set(order.id, order);
    return order;
  }

  refund(order: Order, amount: number): void {
    order.refunded += amount;
    order.updated = new Date(order.updated.getTime() + 1000);
    const { total } = attributesOf(order);
    order.status = order.refunded >= total ? 'refunded' : 'partial_refund';
  }

  /** @returns the last status. */
  async send(order: Order, event = 'order_created', address = this.#address): Promise<number> {
    const meta = { event_name: event, test_mode: order.test };
    const body = JSON.stringify({ meta, data: { type: 'orders', id: order.id, attributes: attributesOf(order) } });
    const signature = createHmac('sha256', this.#secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-event-name': event, 'x-signature': signature };
    let status = 0;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      status = (await send(address, headers, body)).status;
      if (status === 200) break;
    }
    return status;
  }
}

function attributesOf({ id, email, currency, tax, usdRate, items, status, refunded, updated, test }: Order) {
  const subtotal = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const [first] = items;
  return {
    identifier: `uuid-${id}`,
    order_number: Number(id),
    user_name: 'Nina Simone',
    user_email: email,
    currency,
    subtotal,
    tax,
    total: subtotal + tax,
    total_usd: Math.round((subtotal + tax) * usdRate),
    tax_usd: Math.round(tax * usdRate),
    status,
    refunded: status === 'refunded',
    refunded_amount: refunded,
    refunded_at: refunded > 0 ? updated.toISOString() : null,
    created_at: '2026-11-26T09:00:00.000000Z',
    updated_at: updated.toISOString(),
    test_mode: test,
    first_order_item: first,
  };
}
