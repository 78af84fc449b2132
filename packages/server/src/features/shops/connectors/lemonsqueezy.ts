import { z } from 'zod';
import { decimalOf, decimalsOf, splitByWorth } from '../money.ts';
import type {
  ApiConnector,
  Connector,
  Inbound,
  Label,
  LineSnapshot,
  ListPage,
  OrderSnapshot,
  Reading,
  ReversalSnapshot,
  Verdict,
} from './port.ts';
import { AnyId, bodyIn, idIn, Moment, namesIn, OTHER_SECRET, problemIn, readAs, Text } from './reading.ts';
import { headerOf, isSigned } from './signatures.ts';

// Lemon Squeezy. An event has the first of an order's items alone; what was refunded is told as what was refunded in all by then.

const Cents = z.int();
const Item = z.object({
  product_id: AnyId.nullish(),
  variant_id: AnyId.nullish(),
  product_name: Text,
  variant_name: Text,
  price: Cents,
  quantity: z.int().min(1).max(10_000).default(1),
});
const Order = z.object({
  identifier: Text,
  order_number: AnyId.nullish(),
  user_name: Text,
  user_email: Text,
  currency: z.string(),
  subtotal: Cents.optional(),
  total: Cents,
  tax: Cents.default(0),
  total_usd: Cents.optional(),
  tax_usd: Cents.default(0),
  status: z.string(),
  refunded: z.boolean().default(false),
  refunded_amount: Cents.nullish(),
  refunded_at: Moment.nullish(),
  created_at: Moment.optional(),
  updated_at: Moment,
  test_mode: z.boolean().optional(),
  first_order_item: Item.extend({ id: AnyId }).nullish(),
});
type Order = z.output<typeof Order>;
const Refunded = Order.pick({ refunded: true, refunded_amount: true, refunded_at: true }).extend({ status: Text });
const Invoice = z.object({
  subscription_id: AnyId,
  billing_reason: Text,
  user_name: Text,
  user_email: Text,
  currency: z.string(),
  total: Cents,
  tax: Cents.default(0),
  total_usd: Cents.optional(),
  tax_usd: Cents.default(0),
  status: z.string(),
  refunded: z.boolean().default(false),
  refunded_amount: Cents.nullish(),
  refunded_at: Moment.nullish(),
  updated_at: Moment,
});
const Listed = z.object({ data: z.array(z.object({ id: AnyId, attributes: z.unknown() })) });
const Subscription = z.object({
  data: z.object({
    attributes: Item.pick({ product_id: true, variant_id: true, product_name: true, variant_name: true }),
  }),
});
const Event = z.object({
  meta: z.object({ event_name: z.string() }),
  data: z.object({ id: AnyId, attributes: z.unknown() }),
});

const ORDERS = /^order_(created|refunded)$/;
const INVOICES = /^subscription_payment_(success|refunded)$/;
const PAID = new Set(['paid', 'refunded', 'partial_refund', 'fraudulent']);
const PER_PAGE = 100;

const api: ApiConnector = {
  needs: ['key'],
  every: 15,
  isNeeded: () => true,
  base: () => 'https://api.lemonsqueezy.com',
  opens: ({ key = '' }) => ({ authorization: `Bearer ${key}`, accept: 'application/vnd.api+json' }),
  probe: (shop) => shop.ask('/v1/orders?page[size]=1'),
  async complete(reading, shop) {
    if (!('order' in reading) || !reading.order || !reading.lacks) return reading;
    const { lacks, order, ...rest } = reading;
    const [what, id = ''] = lacks.split(' ');
    if (what === 'subscription') {
      const { json } = await shop.ask(`/v1/subscriptions/${encodeURIComponent(id)}`);
      const read = Subscription.safeParse(json);
      if (!read.success) return { unusable: `subscription: ${problemIn(read.error)}`.slice(0, 300) };
      const sold = read.data.data.attributes;
      return {
        ...rest,
        order: { ...order, lines: order.lines.map((line) => ({ ...line, ...soldAs(sold, line.id) })) },
      };
    }
    const { json } = await shop.ask(
      `/v1/order-items?filter[order_id]=${encodeURIComponent(order.id)}&page[size]=${PER_PAGE}`,
    );
    const read = Listed.safeParse(json);
    if (!read.success) return { unusable: `order-items: ${problemIn(read.error)}`.slice(0, 300) };
    const items = read.data.data.flatMap(({ id: itemId, attributes }) => {
      const item = Item.safeParse(attributes);
      return item.success ? [{ ...item.data, id: itemId }] : [];
    });
    const [line] = order.lines;
    const [net, usd] = [line?.netMinor ?? 0, line?.usdCents ?? null];
    return { ...rest, order: { ...order, lines: linesOf(items, net, usd) } };
  },
  async changes(shop, since, page, sold): Promise<ListPage> {
    const at = page === null ? 1 : Number(page);
    const { json } = await shop.ask(`/v1/orders?sort=-createdAt&page[size]=${PER_PAGE}&page[number]=${at}`);
    const read = Listed.safeParse(json);
    if (!read.success) return { readings: [], next: null };
    const orders = read.data.data.flatMap(({ id, attributes }) => {
      const order = Order.safeParse(attributes);
      return order.success ? [{ id, order: order.data }] : [];
    });
    const isOver = orders.some(({ order }) => (order.created_at ?? order.updated_at) < sold);
    return {
      next: orders.length === PER_PAGE && !isOver ? String(at + 1) : null,
      readings: orders
        .filter(({ order }) => order.updated_at >= since)
        .map(({ id, order }) => ({ orderKey: id, reading: orderReading(id, order) })),
    };
  },
};

export const lemonsqueezy: Connector = {
  api,

  verify({ headers, body }: Inbound, secrets: readonly string[]): Verdict {
    const signature = headerOf(headers, 'x-signature');
    if (!signature) return { ok: false, why: 'It has no X-Signature.' };
    return isSigned(body, { signatures: [signature], secrets, encoding: 'hex' })
      ? { ok: true }
      : { ok: false, why: OTHER_SECRET };
  },

  label({ body }): Label {
    const json = bodyIn(body);
    const meta = (json?.meta ?? {}) as { event_name?: unknown; test_mode?: unknown };
    const data = (json?.data ?? {}) as { id?: unknown; attributes?: { billing_reason?: unknown } };
    const event = typeof meta.event_name === 'string' ? meta.event_name.slice(0, 100) : 'unknown';
    const id = idIn(data.id);
    const base = { key: null, event, test: typeof meta.test_mode === 'boolean' ? meta.test_mode : null };
    if (ORDERS.test(event)) return { ...base, orderKey: id };
    if (!INVOICES.test(event))
      return { ...base, orderKey: null, ignored: 'Nothing is done about events of this type.' };
    return data.attributes?.billing_reason === 'initial'
      ? { ...base, orderKey: null, ignored: 'It is the first payment, which the order reports.' }
      : { ...base, orderKey: id && `invoice:${id}` };
  },

  read({ body }): Reading {
    const read = Event.safeParse(bodyIn(body));
    if (!read.success) return { unusable: problemIn(read.error) };
    const { meta, data } = read.data;
    if (INVOICES.test(meta.event_name))
      return readAs(Invoice, data.attributes, (invoice) => invoiceReading(data.id, invoice));
    const order = Order.safeParse(data.attributes);
    if (order.success) return orderReading(data.id, order.data);
    // the refunded amount is enough to read a refund
    return meta.event_name === 'order_refunded'
      ? readAs(Refunded, data.attributes, (refunded) => ({ reversals: reversalsOf(data.id, 'USD', refunded) }))
      : { unusable: problemIn(order.error) };
  },
};

const keysOf = ({ product_id, variant_id }: Pick<z.output<typeof Item>, 'product_id' | 'variant_id'>): string[] => [
  ...(variant_id ? [`variant:${variant_id}`] : []),
  ...(product_id ? [`product:${product_id}`] : []),
];

type Sold = z.output<typeof Subscription>['data']['attributes'];
const soldAs = (sold: Sold, id: string) => ({
  keys: keysOf(sold),
  name: [sold.product_name, sold.variant_name].filter(Boolean).join(' – ') || id,
});

/** Splits the price paid for all items by the price of each. */
function linesOf(
  items: readonly (z.output<typeof Item> & { id: string })[],
  net: number,
  usd: number | null,
): LineSnapshot[] {
  const worth = items.map(({ price, quantity }) => price * quantity);
  const nets = splitByWorth(net, worth);
  const dollars = usd === null ? null : splitByWorth(usd, worth);
  return items.map((item, at) => ({
    id: item.id,
    ...soldAs(item, item.id),
    sku: null,
    quantity: item.quantity,
    netMinor: nets[at] as number,
    usdCents: dollars?.[at] ?? null,
  }));
}

const paidOf = ({ total, tax, total_usd, tax_usd }: Pick<Order, 'total' | 'tax' | 'total_usd' | 'tax_usd'>) => ({
  net: Math.max(0, total - tax),
  usd: total_usd === undefined ? null : Math.max(0, total_usd - tax_usd),
});

function orderReading(id: string, order: Order): Reading {
  const { currency, first_order_item: first, status, updated_at } = order;
  if (decimalsOf(currency) === null) return { unusable: 'currency: not known' };
  const { net, usd } = paidOf(order);
  const isAll = first && order.subtotal !== undefined && first.price * first.quantity === order.subtotal;
  const snapshot: OrderSnapshot = {
    id,
    number: order.order_number ?? order.identifier ?? id,
    versionAt: updated_at,
    paidAt: PAID.has(status) ? (order.created_at ?? updated_at) : null,
    canceledAt: status === 'failed' ? updated_at : null,
    isTest: order.test_mode === true,
    currency,
    email: order.user_email,
    ...namesIn(order.user_name),
    language: null,
    country: null,
    knownAs: order.identifier ? [order.identifier] : [],
    grossMinor: order.total,
    lines: first ? linesOf([first], net, usd) : [],
  };
  const reversals = reversalsOf(id, currency, order);
  return { order: snapshot, reversals, ...(isAll ? {} : { lacks: 'items' }) };
}

/** The total that was refunded by then: the largest of these totals counts. */
function reversalsOf(
  orderId: string,
  currency: string,
  { status, refunded, refunded_amount, refunded_at }: z.output<typeof Refunded>,
): ReversalSnapshot[] {
  const base = { orderId, lines: null, undoes: null, happenedAt: refunded_at ?? null };
  if (refunded || status === 'refunded')
    return [{ ...base, key: 'whole', kind: 'refund', isWhole: true, amount: null }];
  const amount = refunded_amount ?? 0;
  return [
    ...(amount > 0
      ? [
          {
            ...base,
            key: `cum:${amount}`,
            kind: 'refund' as const,
            isWhole: false,
            amount: decimalOf(amount, currency),
          },
        ]
      : []),
    ...(status === 'fraudulent'
      ? [{ ...base, key: 'fraudulent', kind: 'inquiry' as const, isWhole: true, amount: null }]
      : []),
  ];
}

function invoiceReading(id: string, invoice: z.output<typeof Invoice>): Reading {
  const { currency, updated_at, status, subscription_id } = invoice;
  if (decimalsOf(currency) === null) return { unusable: 'currency: not known' };
  const { net, usd } = paidOf(invoice);
  const orderId = `invoice:${id}`;
  const order: OrderSnapshot = {
    id: orderId,
    number: id,
    versionAt: updated_at,
    paidAt: PAID.has(status) ? updated_at : null,
    canceledAt: null,
    isTest: false,
    currency,
    email: invoice.user_email,
    ...namesIn(invoice.user_name),
    language: null,
    country: null,
    grossMinor: invoice.total,
    lines: [{ id, keys: [], sku: null, name: id, quantity: 1, netMinor: net, usdCents: usd, isRenewal: true }],
  };
  return { order, reversals: reversalsOf(orderId, currency, invoice), lacks: `subscription ${subscription_id}` };
}
