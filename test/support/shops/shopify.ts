import { createHmac, randomUUID } from 'node:crypto';

/** With the first, after which the subscription is gone, and nobody is told. */
const MOST_TRIES = 8;

/** What a subscription of a Shopify shop sends: signed by the shop's key, again with the same id and the same bytes until it is taken. */
export class ShopifyShop {
  readonly #address: string;
  readonly #key: string;
  isSubscribed = true;

  constructor({ address, key }: { address: string; key: string }) {
    this.#address = address;
    this.#key = key;
  }

  /** @param times how often it is sent, whatever is answered. @returns the last status */
  async tell(topic: string, payload: object | string, { times = 1, id = randomUUID() as string } = {}) {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    let status: number | undefined;
    for (let sent = 0, tries = 1; this.isSubscribed && sent < times; tries += 1) {
      const answer = await fetch(this.#address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': topic,
          'x-shopify-shop-domain': 'shop.myshopify.com',
          'x-shopify-webhook-id': id,
          'x-shopify-event-id': 'shared-by-subscriptions',
          'x-shopify-hmac-sha256': createHmac('sha256', this.#key).update(body).digest('base64'),
        },
        body,
        signal: AbortSignal.timeout(5000),
      });
      status = answer.status;
      if (answer.ok) sent += 1;
      else if (tries >= MOST_TRIES) this.isSubscribed = false;
    }
    return status;
  }
}

const money = (amount: string, currency = 'USD') => ({
  shop_money: { amount, currency_code: currency },
  presentment_money: { amount: '1.00', currency_code: 'SEK' },
});

/** An order of two copies of one thing, with a discount code. */
export const shopifyOrder = (id: number, minute: number, fields: object = {}) => ({
  id,
  name: `#${id}`,
  email: 'nina@example.com',
  test: false,
  financial_status: 'paid',
  currency: 'USD',
  taxes_included: false,
  customer_locale: 'de-DE',
  created_at: '2026-11-26T10:00:00+01:00',
  processed_at: '2026-11-26T10:00:00+01:00',
  updated_at: `2026-11-26T10:${String(minute).padStart(2, '0')}:00+01:00`,
  cancelled_at: null,
  customer: { first_name: 'Nina', last_name: 'Simone' },
  billing_address: { country_code: 'DE' },
  line_items: [
    {
      id: id * 10,
      sku: 'GLIDE',
      title: 'Glide',
      product_id: 1,
      variant_id: 2,
      quantity: 2,
      current_quantity: 2,
      price: '49.00',
      price_set: money('49.00'),
      discount_allocations: [{ amount: '9.80', amount_set: money('9.80') }],
      tax_lines: [{ price: '15.00', price_set: money('15.00') }],
    },
  ],
  ...fields,
});

export const shopifyRefund = (id: number, order: number, fields: object = {}) => ({
  id,
  order_id: order,
  created_at: '2026-11-26T11:00:00+01:00',
  refund_line_items: [{ line_item_id: order * 10, quantity: 1, subtotal_set: money('44.10') }],
  transactions: [{ kind: 'refund', status: 'success', amount: '44.10' }],
  ...fields,
});
