import { expect, it } from 'vitest';
import { minorOf } from '../money.ts';
import { converge } from '../orders/converge.ts';
import { merge, unknownOrder } from '../orders/merge.ts';
import { newsOf } from '../reconcile/what-came.ts';
import { connectors } from './index.ts';
import type { ApiAnswer, Reading, ShopApi } from './port.ts';

// Two pieces for 98.00 and 19 % of tax, of which a refund that names no line gives back a half: it is half of what they were sold for.

type Kind = keyof typeof connectors;
interface Came {
  headers?: Record<string, string>;
  body: unknown;
}

/** Reads everything that a kind of shop reported of an order, and returns which of its units' dollars went back. */
async function backOf(kind: Kind, came: readonly Came[], api: (path: string) => unknown = () => null) {
  const shop: ShopApi = {
    credentials: {},
    mode: 'live',
    ask: async (path): Promise<ApiAnswer> => ({ status: 200, headers: {}, json: api(path) }),
  };
  const readings: Reading[] = [];
  for (const { headers = {}, body } of came) {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const reading = connectors[kind].read({ headers, body: bytes });
    const complete = api(' whether there is one') === null ? undefined : connectors[kind].api?.complete;
    readings.push(complete && 'lacks' in reading ? await complete(reading, shop) : reading);
  }
  const { orders, reversals } = newsOf(readings);
  const known = orders.reduce((sum, version) => merge(sum, version, () => null), unknownOrder('1'));
  const { wishes } = converge({
    isPaid: known.paidAt !== null,
    isCanceled: false,
    lines: known.lines.map((line) => ({ ...line, id: line.externalId, productIds: ['p'], units: 1, isIgnored: false })),
    units: [],
    reversals: reversals.map(({ amount, isNet = false, ...rest }) => ({
      ...rest,
      isNet,
      amountMinor: amount === null ? null : minorOf(amount, 'USD'),
    })),
    onRefund: 'ask',
    onDispute: 'suspend',
  });
  return wishes.map(({ usdCents, backCents, want }) => [want, usdCents, backCents]);
}
const HALF = [
  ['have', 4900, 2450],
  ['have', 4900, 2450],
];

const NOTHING = HALF.map(([state, paid]) => [state, paid, 0]);

const wooOrder = {
  id: 12,
  status: 'completed',
  currency: 'USD',
  total: '116.62',
  date_paid_gmt: '2026-11-26T09:00:00',
  date_modified_gmt: '2026-11-26T09:00:02',
  line_items: [{ id: 5, product_id: 9, quantity: 2, total: '98.00', total_tax: '18.62' }],
  refunds: [{ id: 31, total: '-58.31' }],
};
const wooCame = { headers: { 'x-wc-webhook-topic': 'order.updated' }, body: wooOrder };

it('WooCommerce: with tax, as an order names it', async () => {
  expect(await backOf('woocommerce', [wooCame])).toEqual(HALF);
});

it('WooCommerce: without tax, as its API has the lines of a refund', async () => {
  const lines = [{ quantity: 0, total: '-49.00', total_tax: '-9.31', meta_data: [] }];
  expect(await backOf('woocommerce', [wooCame], () => [{ id: 31, line_items: lines }])).toEqual(HALF);
});

it('Shopify: with tax, and a gift card that was bought beside it is none of it', async () => {
  const money = (amount: string) => ({ shop_money: { amount, currency_code: 'USD' } });
  const order = {
    id: 5501,
    financial_status: 'paid',
    currency: 'USD',
    taxes_included: false,
    total_price: '166.62',
    updated_at: '2026-11-26T10:00:00Z',
    line_items: [
      { id: 77, quantity: 2, price_set: money('49.00'), tax_lines: [{ price_set: money('18.62') }] },
      { id: 78, quantity: 1, price_set: money('50.00'), gift_card: true },
    ],
  };
  const refund = { id: 91, order_id: 5501, transactions: [{ kind: 'refund', amount: '58.31' }] };
  const came = [
    { headers: { 'x-shopify-topic': 'orders/paid' }, body: order },
    { headers: { 'x-shopify-topic': 'refunds/create' }, body: refund },
  ];
  expect(await backOf('shopify', came)).toEqual(HALF);
});

it('Stripe: with tax', async () => {
  const event = (type: string, object: object) => ({
    body: { id: `evt_${type}`, type, created: 1_795_683_600, data: { object } },
  });
  const session = { id: 'cs_1', payment_status: 'paid', payment_intent: 'pi_1', currency: 'usd', amount_total: 11_662 };
  const refund = { id: 're_1', amount: 5831, currency: 'usd', charge: 'ch_1', payment_intent: 'pi_1' };
  const line = { id: 'li_1', quantity: 2, amount_total: 11_662, amount_tax: 1862, price: { id: 'p', product: 'q' } };
  const api = (path: string) =>
    path.includes('/line_items')
      ? { data: [line] }
      : path.includes('/charges/')
        ? { amount: 11_662, amount_refunded: 5831, refunded: false }
        : { data: [] };
  const came = [event('checkout.session.completed', session), event('refund.created', refund)];
  expect(await backOf('stripe', came, api)).toEqual(HALF);
});

it('Stripe: with tax, of a renewal', async () => {
  const object = {
    id: 'in_1',
    billing_reason: 'subscription_cycle',
    currency: 'usd',
    total: 11_662,
    lines: { data: [{ id: 'il_1', quantity: 2, amount: 9800 }] },
  };
  const [order] = newsOf([
    connectors.stripe.read({
      headers: {},
      body: Buffer.from(JSON.stringify({ type: 'invoice.paid', created: 1_795_683_600, data: { object } })),
    }),
  ]).orders;
  expect(order).toMatchObject({ grossMinor: 11_662, lines: [{ netMinor: 9800 }] });
});

it('Paddle: with tax', async () => {
  const event = (event_type: string, data: object) => ({
    body: { event_type, occurred_at: '2026-11-26T09:00:00Z', data },
  });
  const totals = { subtotal: '9800', discount: '0', tax: '1862', total: '11662' };
  const sale = {
    id: 'txn_1',
    status: 'completed',
    currency_code: 'USD',
    details: { line_items: [{ id: 'txnitm_1', price_id: 'pri_1', quantity: 2, totals }] },
  };
  const back = {
    id: 'adj_1',
    action: 'refund',
    status: 'approved',
    type: 'partial',
    transaction_id: 'txn_1',
    currency_code: 'USD',
    items: [{ item_id: 'txnitm_1', type: 'partial', amount: '5831' }],
  };
  const came = [event('transaction.completed', sale), event('adjustment.created', back)];
  expect(await backOf('paddle', came)).toEqual(HALF);
});

it('Lemon Squeezy: with tax, of an order and of a renewal', async () => {
  const attributes = {
    currency: 'USD',
    subtotal: 9800,
    tax: 1862,
    total: 11_662,
    status: 'partial_refund',
    refunded_amount: 5831,
    updated_at: '2026-11-26T10:00:00Z',
  };
  const first = { first_order_item: { id: 11, price: 4900, quantity: 2 } };
  const order = { meta: { event_name: 'order_refunded' }, data: { id: '1', attributes: { ...attributes, ...first } } };
  expect(await backOf('lemonsqueezy', [{ body: order }])).toEqual(HALF);
  const renewal = {
    meta: { event_name: 'subscription_payment_refunded' },
    data: { id: '2', attributes: { subscription_id: 3, ...attributes } },
  };
  expect(await backOf('lemonsqueezy', [{ body: renewal }])).toEqual([['have', 9800, 4900]]);
});

it('FastSpring: without tax, as both its orders and its returns have it', async () => {
  const event = (id: string, type: string, data: object) => ({ body: { id, type, created: 1_795_683_600_000, data } });
  const order = {
    reference: 'ACM-1',
    currency: 'USD',
    total: 116.62,
    tax: 18.62,
    subtotal: 98,
    items: [{ product: 'glide', quantity: 2, subtotal: 98 }],
  };
  const back = {
    return: 'r1',
    currency: 'USD',
    original: { reference: 'ACM-1' },
    items: [{ product: 'glide', quantity: 1, subtotal: 49, refundType: 'Partial Refund' }],
    totalReturn: 58.31,
  };
  const came = [event('e1', 'order.completed', order), event('e2', 'return.created', back)];
  expect(await backOf('fastspring', came)).toEqual(HALF);
});

it.each([
  ['$', '$98', '49', HALF],
  ['€', '€90,20 a month', '45,10', HALF],
  ['£', '£1,970', '985', HALF],
  ['CAD$', 'CAD$133.28', '66.64', HALF],
  ['¥', '¥15,400', '7,700', HALF],
  // it has another currency by now
  ['€', '€90.20', '98', NOTHING],
  ['€', '€1.970,50', '985,25', HALF],
  // these amounts can no longer be refunded there: it is not known how much was
  ['$', '$98', '0', NOTHING],
])(
  'Gumroad: without tax, as what is left of %s, %s: %s',
  async (currency_symbol, formatted_total_price, left, back) => {
    const sale = {
      id: 'abc==',
      created_at: '2026-11-26T10:00:00Z',
      price: 9800,
      quantity: 2,
      partially_refunded: true,
      currency_symbol,
      formatted_total_price,
      amount_refundable_in_currency: left,
    };
    expect(await backOf('gumroad', [{ body: 'sale_id=abc%3D%3D' }], () => ({ success: true, sale }))).toEqual(back);
  },
);
