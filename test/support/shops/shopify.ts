import { createHmac, randomUUID } from 'node:crypto';
import { type ApiHost, answer } from './api-host.ts';

/** The number of tries with the first. After them the subscription is gone, and nobody hears of it. */
const MOST_TRIES = 8;

/**
 * The reports of a Shopify shop's subscription: signed by the shop's key, and repeated with the same id and the same
 * bytes until they are taken.
 */
export class ShopifyShop {
  readonly #address: string;
  readonly #key: string;
  isSubscribed = true;

  constructor({ address, key }: { address: string; key: string }) {
    this.#address = address;
    this.#key = key;
  }

  /** @param times how often it is sent, whatever is answered. @returns the last status */
  async send(topic: string, payload: object | string, { times = 1, id = randomUUID() as string } = {}) {
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

/**
 * Serves the list of a shop's orders by GraphQL, as at `{url}/shopify`, in pages of two, to an app of its organisation.
 */
export function serveShopify(
  host: ApiHost,
  orders: readonly ReturnType<typeof shopifyOrder>[],
  refunds: readonly ReturnType<typeof shopifyRefund>[],
) {
  const [key, secret] = ['client-id-0123456789', 'client-secret-0123456789'];
  host.serve('shopify', ({ path, body, token }) => {
    if (path === '/admin/oauth/access_token') {
      const form = new URLSearchParams(body);
      const isOwn = form.get('client_id') === key && form.get('client_secret') === secret;
      return isOwn
        ? { access_token: 'shpat_of_a_day', expires_in: 86_399 }
        : answer({ status: 400, json: { error: 'shop_not_permitted' } });
    }
    if (token !== 'shpat_of_a_day') return answer({ status: 401, json: { errors: 'Invalid API key' } });
    const { variables } = JSON.parse(body) as { variables: { after: string | null } };
    const from = Number(variables.after ?? 0);
    const nodes = orders.slice(from, from + 2).map((order) =>
      nodeOf(
        order,
        refunds.filter(({ order_id }) => order_id === order.id),
      ),
    );
    const pageInfo = { hasNextPage: from + 2 < orders.length, endCursor: String(from + 2) };
    return { data: { orders: { nodes, pageInfo } } };
  });
  return { address: `${host.url}/shopify`, key, secret };
}

const shopMoney = (set: ReturnType<typeof money>) => ({
  shopMoney: { amount: set.shop_money.amount, currencyCode: set.shop_money.currency_code },
});

function nodeOf(order: ReturnType<typeof shopifyOrder>, refunds: readonly ReturnType<typeof shopifyRefund>[]) {
  return {
    legacyResourceId: String(order.id),
    name: order.name,
    email: order.email,
    test: order.test,
    displayFinancialStatus: order.financial_status.toUpperCase(),
    currencyCode: order.currency,
    taxesIncluded: order.taxes_included,
    customerLocale: order.customer_locale,
    createdAt: order.created_at,
    processedAt: order.processed_at,
    updatedAt: order.updated_at,
    cancelledAt: order.cancelled_at,
    totalPriceSet: shopMoney(order.total_price_set),
    customer: { firstName: order.customer.first_name, lastName: order.customer.last_name },
    billingAddress: { countryCodeV2: order.billing_address.country_code },
    lineItems: {
      nodes: order.line_items.map((line) => ({
        id: `gid://shopify/LineItem/${line.id}`,
        sku: line.sku,
        title: line.title,
        quantity: line.quantity,
        product: { legacyResourceId: String(line.product_id) },
        variant: { legacyResourceId: String(line.variant_id) },
        originalUnitPriceSet: shopMoney(line.price_set),
        discountAllocations: line.discount_allocations.map(({ amount_set }) => ({
          allocatedAmountSet: shopMoney(amount_set),
        })),
        taxLines: line.tax_lines.map(({ price_set }) => ({ priceSet: shopMoney(price_set) })),
      })),
    },
    refunds: refunds.map((refund) => ({
      legacyResourceId: String(refund.id),
      createdAt: refund.created_at,
      refundLineItems: {
        nodes: refund.refund_line_items.map(({ line_item_id, quantity }) => ({
          quantity,
          lineItem: { id: `gid://shopify/LineItem/${line_item_id}` },
        })),
      },
      transactions: {
        nodes: refund.transactions.map(({ kind, status, amount }) => ({
          kind: kind.toUpperCase(),
          status: status.toUpperCase(),
          amountSet: shopMoney(money(amount)),
        })),
      },
    })),
  };
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
  total_price: '103.20',
  total_price_set: money('103.20'),
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
