import { z } from 'zod';
import { decimalOf, decimalsOf, minorOf } from '../money.ts';
import type {
  Connector,
  Inbound,
  Label,
  LineSnapshot,
  OrderSnapshot,
  Reading,
  ReversalSnapshot,
  Verdict,
} from './port.ts';
import { AnyId, bodyIn, idIn, Moment, readAs, Text } from './reading.ts';
import { shopifyApi } from './shopify-api.ts';
import { headerOf, isSigned } from './signatures.ts';

// Shopify's webhooks, by the shop's own key (Settings > Notifications > Webhooks) or by that of an app. Ids are above what a number holds,
// so they are read as text before JSON makes numbers of them.

const Amount = z.union([z.string(), z.number()]).transform(String);
const MoneySet = z.object({ shop_money: z.object({ amount: Amount, currency_code: z.string() }) });

const Line = z.object({
  id: AnyId,
  sku: Text,
  title: Text,
  name: Text,
  product_id: AnyId.nullish(),
  variant_id: AnyId.nullish(),
  quantity: z.number().int().min(0).max(10_000),
  current_quantity: z.number().int().min(0).optional(),
  price: Amount.optional(),
  price_set: MoneySet.optional(),
  discount_allocations: z.array(z.object({ amount: Amount.optional(), amount_set: MoneySet.optional() })).default([]),
  tax_lines: z.array(z.object({ price: Amount.optional(), price_set: MoneySet.optional() })).default([]),
  gift_card: z.boolean().default(false),
});
const Order = z.object({
  id: AnyId,
  name: Text,
  email: Text,
  contact_email: Text,
  test: z.boolean().default(false),
  financial_status: Text,
  currency: z.string(),
  taxes_included: z.boolean().default(false),
  total_price: Amount.optional(),
  total_price_set: MoneySet.optional(),
  customer_locale: Text,
  created_at: Moment.optional(),
  processed_at: Moment.nullish(),
  updated_at: Moment,
  cancelled_at: Moment.nullish(),
  customer: z.object({ first_name: Text, last_name: Text }).partial().nullish(),
  billing_address: z.object({ first_name: Text, last_name: Text, country_code: Text }).partial().nullish(),
  line_items: z.array(Line).max(500),
});
type Order = z.output<typeof Order>;

const Refund = z.object({
  id: AnyId,
  order_id: AnyId,
  created_at: Moment.optional(),
  processed_at: Moment.nullish(),
  refund_line_items: z.array(z.object({ line_item_id: AnyId, quantity: z.number().int().min(0) })).default([]),
  transactions: z.array(z.object({ kind: z.string(), status: Text, amount: Amount })).default([]),
});
const Dispute = z.object({
  id: AnyId,
  order_id: AnyId,
  type: z.string(),
  status: z.string(),
  amount: Amount.optional(),
  initiated_at: Moment.optional(),
});

const PAID = new Set(['paid', 'partially_refunded', 'refunded']);
const ORDERS = /^orders\/(create|paid|updated|edited|cancelled)$/;
const KNOWN = /^(orders\/(create|paid|updated|cancelled)|refunds\/create|disputes\/(create|update))$/;

const readOrder = (json: unknown): Reading =>
  readAs(Order, json, (order) =>
    decimalsOf(order.currency) === null ? { unusable: 'currency: not known' } : { order: orderOf(order) },
  );
const readRefund = (json: unknown): Reading => readAs(Refund, json, (refund) => ({ reversals: [refundOf(refund)] }));

export const shopify: Connector = {
  api: shopifyApi({ order: (json) => readOrder(json), refund: (json) => readRefund(json) }),

  verify({ headers, body }: Inbound, secrets: readonly string[]): Verdict {
    const signature = headerOf(headers, 'x-shopify-hmac-sha256');
    if (!signature) return { ok: false, why: 'It has no X-Shopify-Hmac-Sha256.' };
    return isSigned(body, { signatures: [signature], secrets, encoding: 'base64' })
      ? { ok: true }
      : { ok: false, why: 'It is signed with another secret, or its body was changed on the way.' };
  },

  label({ headers, body }): Label {
    const event = headerOf(headers, 'x-shopify-topic').slice(0, 100) || 'unknown';
    const json = jsonOf(body);
    const orderKey = idIn(ORDERS.test(event) ? json?.id : json?.order_id);
    const ignored = KNOWN.test(event) ? undefined : 'Nothing is done about events of this topic.';
    // the same over its retries, and of nothing else
    const key = headerOf(headers, 'x-shopify-webhook-id').slice(0, 300) || null;
    return { key, event, orderKey, test: null, ...(ignored ? { ignored } : {}) };
  },

  read({ headers, body }): Reading {
    const topic = headerOf(headers, 'x-shopify-topic');
    const json = jsonOf(body);
    if (topic === 'refunds/create') return readRefund(json);
    if (topic.startsWith('disputes/')) return readAs(Dispute, json, (dispute) => ({ reversals: disputeOf(dispute) }));
    return readOrder(json);
  },
};

/** Numbers of 16 digits and more are ids, and lose their last digits as numbers. */
function jsonOf(body: Buffer): Record<string, unknown> | null {
  const text = body.toString('utf8');
  return bodyIn(/\d{16}/.test(text) ? Buffer.from(quoteOutside(text)) : body);
}

/** Quotes such numbers, but not in texts. */
function quoteOutside(text: string): string {
  return text
    .split(/("(?:[^"\\]|\\.)*")/s)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/(?<![\d.eE+-])\d{16,}(?![\d.eE])/g, '"$&"')))
    .join('');
}

function orderOf(order: Order): OrderSnapshot {
  const { billing_address: billing, customer } = order;
  const isPaid = PAID.has(order.financial_status ?? '');
  return {
    id: order.id,
    number: order.name ?? order.id,
    versionAt: order.updated_at,
    paidAt: isPaid ? (order.processed_at ?? order.created_at ?? order.updated_at) : null,
    canceledAt: order.cancelled_at ?? null,
    isTest: order.test,
    currency: order.currency,
    email: order.email ?? order.contact_email,
    firstName: customer?.first_name ?? billing?.first_name ?? null,
    lastName: customer?.last_name ?? billing?.last_name ?? null,
    language: order.customer_locale,
    country: billing?.country_code ?? null,
    grossMinor: grossOf(order),
    lines: order.line_items.filter(({ gift_card }) => !gift_card).map((line) => lineOf(line, order)),
  };
}

/** The total paid without gift cards, which have no tax. */
function grossOf(order: Order): number | null {
  const total = minorOf(order.total_price_set?.shop_money.amount ?? order.total_price ?? '', order.currency);
  const cards = order.line_items.filter(({ gift_card }) => gift_card).map((line) => lineOf(line, order).netMinor);
  return total === null ? null : cards.reduce((left, card) => left - card, total);
}

/**
 * A line with the price paid for it: its price without discounts of the line and of the order, and without tax, in the
 * shop's own currency.
 */
function lineOf(line: z.output<typeof Line>, { currency, taxes_included }: Order): LineSnapshot {
  const minor = (amount: string | undefined, set?: z.output<typeof MoneySet>) =>
    minorOf(set?.shop_money.amount ?? amount ?? '0', currency) ?? 0;
  const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
  const gross = minor(line.price, line.price_set) * line.quantity;
  const discounts = sum(line.discount_allocations.map(({ amount, amount_set }) => minor(amount, amount_set)));
  const tax = taxes_included ? sum(line.tax_lines.map(({ price, price_set }) => minor(price, price_set))) : 0;
  return {
    id: line.id,
    keys: [
      ...(line.variant_id ? [`variant:${line.variant_id}`] : []),
      ...(line.product_id ? [`product:${line.product_id}`] : []),
      ...(line.sku ? [line.sku] : []),
    ],
    sku: line.sku,
    name: line.title ?? line.name ?? line.sku ?? line.id,
    // the refund reports refunded pieces; the quantity here stays what was bought
    quantity: line.quantity,
    netMinor: Math.max(0, gross - discounts - tax),
  };
}

function refundOf(refund: z.output<typeof Refund>): ReversalSnapshot {
  const lines = refund.refund_line_items.filter(({ quantity }) => quantity > 0);
  const given = refund.transactions.filter(({ kind, status }) => kind === 'refund' && status !== 'failure');
  return {
    orderId: refund.order_id,
    key: refund.id,
    kind: 'refund',
    isWhole: false,
    lines: lines.length === 0 ? null : lines.map(({ line_item_id, quantity }) => ({ id: line_item_id, quantity })),
    amount: lines.length > 0 ? null : sumOf(given.map(({ amount }) => amount)),
    undoes: null,
    happenedAt: refund.processed_at ?? refund.created_at ?? null,
  };
}

/** Decimal texts of one currency, added without losing a cent. */
function sumOf(amounts: readonly string[]): string {
  const minor = amounts.reduce((sum, amount) => sum + (minorOf(amount, 'KWD') ?? 0), 0);
  return decimalOf(minor, 'KWD');
}

/** An inquiry only asks; a chargeback that was won is undone. */
function disputeOf({ id, order_id, type, status, initiated_at }: z.output<typeof Dispute>): ReversalSnapshot[] {
  const base = { orderId: order_id, isWhole: true, lines: null, amount: null, happenedAt: initiated_at ?? null };
  const kind = type === 'inquiry' ? ('inquiry' as const) : ('chargeback' as const);
  const dispute = { ...base, key: `dispute:${id}`, kind, undoes: null };
  return status === 'won'
    ? [dispute, { ...base, key: `won:${id}`, kind: 'reinstatement', undoes: dispute.key }]
    : [dispute];
}
