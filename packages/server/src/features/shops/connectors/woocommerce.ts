import { z } from 'zod';
import { decimalsOf, minorOf } from '../money.ts';
import type { Connector, Inbound, Label, OrderSnapshot, Reading, ReversalSnapshot, Verdict } from './port.ts';
import { bodyIn, idIn, problemIn } from './reading.ts';
import { headerOf, isSigned } from './signatures.ts';

// WooCommerce's own webhooks (Settings > Advanced > Webhooks), of its REST API v3. It sends once and never again, the order as it is at
// that moment, and the delivery id of two orders in one second is the same.

const Amount = z.union([z.string(), z.number()]).transform(String);
const Text = z
  .string()
  .nullish()
  .transform((text) => text?.trim() || null);
/** A moment without its zone, which is UTC. */
const Moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
  .transform((text) => new Date(`${text}Z`));

const Line = z.object({
  id: z.number(),
  name: Text,
  product_id: z.number().default(0),
  variation_id: z.number().default(0),
  sku: Text,
  quantity: z.number().int().min(0).max(10_000),
  total: Amount,
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).nullish(),
});
const Order = z.object({
  id: z.number(),
  number: z.union([z.string(), z.number()]).transform(String).optional(),
  status: z.string(),
  currency: z.string(),
  total: Amount.optional(),
  date_paid_gmt: Moment.nullish(),
  date_modified_gmt: Moment,
  billing: z.object({ first_name: Text, last_name: Text, email: Text, country: Text }).partial().nullish(),
  line_items: z.array(Line).max(500),
  refunds: z.array(z.object({ id: z.number(), total: Amount })).default([]),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).nullish(),
});
type Order = z.output<typeof Order>;

const NO_OWNER =
  'The user who owns the webhook in the shop is gone, or may not see orders. Save it there as another user.';
const PAID = new Set(['processing', 'completed']);
/** Of orders that were given up, or thrown away. */
const GIVEN_UP = /^(cancell?ed|failed|trash)$/;

export const woocommerce: Connector = {
  verify({ headers, body }: Inbound, secrets: readonly string[]): Verdict {
    // what it sends when a webhook is saved is not signed, means nothing, and has to be answered
    if (isPing(body)) return { ok: true, isPing: true };
    const signature = headerOf(headers, 'x-wc-webhook-signature');
    if (!signature) return { ok: false, why: 'It has no X-WC-Webhook-Signature.' };
    return isSigned(body, { signatures: [signature], secrets, encoding: 'base64' })
      ? { ok: true }
      : { ok: false, why: 'It is signed with another secret, or its body was changed on the way.' };
  },

  label({ headers, body }): Label {
    const event = headerOf(headers, 'x-wc-webhook-topic').slice(0, 100) || 'unknown';
    const base = { key: null, event, test: null };
    const json = bodyIn(body);
    if (typeof json?.code === 'string' && json.code.startsWith('woocommerce_rest_'))
      return { ...base, orderKey: null, ignored: NO_OWNER, trouble: NO_OWNER };
    const ignored = event.startsWith('order.') ? undefined : 'Nothing is done about events of this topic.';
    return { ...base, orderKey: idIn(json?.id), ...(ignored ? { ignored } : {}) };
  },

  read({ headers, body }): Reading {
    const json = bodyIn(body);
    // a deleted order is an id alone: its refund names what to take back
    if (headerOf(headers, 'x-wc-webhook-topic') === 'order.deleted')
      return { ignored: 'The order was deleted, which refunds nothing.' };
    const read = Order.safeParse(json);
    if (!read.success) return { unusable: problemIn(read.error) };
    if (decimalsOf(read.data.currency) === null) return { unusable: 'currency: not known' };
    return { order: orderOf(read.data), reversals: reversalsOf(read.data) };
  },
};

/** `webhook_id=12`, as a form. */
const isPing = (body: Buffer) => body.length < 64 && /^webhook_id=\d+$/.test(body.toString('latin1'));

function orderOf(order: Order): OrderSnapshot {
  const { id, number, status, currency, date_paid_gmt, date_modified_gmt, billing, line_items, meta_data } = order;
  const isRenewal = meta_data?.some(({ key }) => key === '_subscription_renewal') ?? false;
  return {
    id: String(id),
    number: number ?? String(id),
    versionAt: date_modified_gmt,
    // a refunded order was paid as well
    paidAt: date_paid_gmt && (PAID.has(status) || status === 'refunded') ? date_paid_gmt : null,
    canceledAt: GIVEN_UP.test(status) ? date_modified_gmt : null,
    isTest: false,
    currency,
    email: billing?.email ?? null,
    firstName: billing?.first_name ?? null,
    lastName: billing?.last_name ?? null,
    language: null,
    country: billing?.country ?? null,
    lines: line_items.map((line) => ({
      id: String(line.id),
      keys: [
        ...(line.variation_id > 0 ? [`variant:${line.variation_id}`] : []),
        ...(line.product_id > 0 ? [`product:${line.product_id}`] : []),
        ...(line.sku ? [line.sku] : []),
      ],
      sku: line.sku,
      name: line.name ?? line.sku ?? String(line.id),
      quantity: line.quantity,
      netMinor: Math.max(0, minorOf(line.total, currency) ?? 0),
      isRenewal,
    })),
  };
}

/**
 * The refunds that an order names are without their lines. Together they are all of it once they come to its total, which is also what
 * setting its status by hand makes.
 */
function reversalsOf({ id, status, currency, total, date_modified_gmt, refunds }: Order): ReversalSnapshot[] {
  const amounts = refunds.map((refund) => Math.abs(minorOf(refund.total, currency) ?? 0));
  const whole = total === undefined ? null : minorOf(total, currency);
  const sum = amounts.reduce((all, each) => all + each, 0);
  const isWhole = status === 'refunded' || (whole !== null && whole > 0 && sum >= whole);
  const base = { orderId: String(id), lines: null, undoes: null, happenedAt: date_modified_gmt };
  const named = refunds.map((refund) => ({
    ...base,
    key: String(refund.id),
    kind: 'refund' as const,
    isWhole: false,
    amount: refund.total.replace('-', ''),
  }));
  return isWhole ? [...named, { ...base, key: 'whole', kind: 'refund', isWhole: true, amount: null }] : named;
}
