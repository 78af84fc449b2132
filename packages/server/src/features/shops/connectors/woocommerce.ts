import { z } from 'zod';
import { decimalOf, decimalsOf, minorOf } from '../money.ts';
import { basic, ShopAway, ShopRefuses } from './api.ts';
import type {
  ApiConnector,
  Connector,
  Inbound,
  Label,
  ListPage,
  OrderSnapshot,
  Reading,
  ReversalSnapshot,
  Verdict,
} from './port.ts';
import { bodyIn, idIn, problemIn, Text } from './reading.ts';
import { headerOf, isSigned } from './signatures.ts';

// WooCommerce's own webhooks (Settings > Advanced > Webhooks), of its REST API v3. It sends once and never again, the order as it is at
// that moment, and the delivery id of two orders in one second is the same.

const Amount = z.union([z.string(), z.number()]).transform(String);
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
  transaction_id: Text,
  line_items: z.array(Line).max(500),
  refunds: z.array(z.object({ id: z.number(), total: Amount })).default([]),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).nullish(),
});
type Order = z.output<typeof Order>;

const NO_OWNER =
  'The user who owns the webhook in the shop is gone, or may not see orders. Save it there as another user.';
const PAID = new Set(['processing', 'completed']);
/** States of orders that were given up, or thrown away. */
const GIVEN_UP = /^(cancell?ed|failed|trash)$/;

const RefundLine = z.object({
  quantity: z.number(),
  total: Amount,
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).nullish(),
});
const Refunds = z
  .array(
    z.object({
      id: z.number(),
      line_items: z.array(RefundLine).default([]),
      shipping_lines: z.array(z.unknown()).default([]),
      fee_lines: z.array(z.unknown()).default([]),
    }),
  )
  .max(100);
type Refund = z.output<typeof Refunds>[number];

const Notes = z.array(z.object({ note: z.string() }));

const PER_PAGE = 100;

/** Its REST API, by a consumer key that may read, and write where it gives the codes. */
const api: ApiConnector = {
  needs: ['address', 'key', 'secret'],
  every: 15,
  isNeeded: () => false,
  base: ({ address = '' }) => `${address.replace(/\/+$/, '')}/wp-json/wc/v3`,
  opens: (credentials) => ({ authorization: basic(credentials) }),
  async probe(shop) {
    const { status, json } = await shop.ask('/orders?per_page=1');
    if (status === 404 || !Array.isArray(json))
      throw new ShopRefuses('There is no WooCommerce at this address. Enter the one that the shop’s pages begin with.');
  },
  async complete(reading, shop) {
    if (!('order' in reading) || !reading.order) return reading;
    const { id, currency } = reading.order;
    const { json } = await shop.ask(`/orders/${encodeURIComponent(id)}/refunds?per_page=${PER_PAGE}`);
    const read = Refunds.safeParse(json);
    if (!read.success) return reading;
    const known = new Map(read.data.map((refund) => [String(refund.id), refund]));
    const { lacks: _, reversals = [], ...rest } = reading;
    return {
      ...rest,
      reversals: reversals.flatMap((reversal) => withLines(reversal, known.get(reversal.key), currency)),
    };
  },
  async changes(shop, since, page): Promise<ListPage> {
    const at = page === null ? 1 : Number(page);
    const after = since.toISOString().slice(0, 19);
    const { json, headers } = await shop.ask(
      `/orders?modified_after=${after}&dates_are_gmt=true&orderby=modified&order=asc&per_page=${PER_PAGE}&page=${at}`,
    );
    const orders = Array.isArray(json) ? (json as unknown[]) : [];
    const pages = Number(headers['x-wp-totalpages'] ?? 1);
    return {
      readings: orders.flatMap((order) => {
        const orderKey = idIn((order as { id?: unknown } | null)?.id);
        return orderKey === null ? [] : [{ orderKey, reading: readingOf(order) }];
      }),
      next: orders.length === PER_PAGE && at < pages ? String(at + 1) : null,
    };
  },
  async note(shop, orderId, { codes, textOf }) {
    const path = `/orders/${encodeURIComponent(orderId)}/notes`;
    const { status, json } = await shop.ask(`${path}?type=customer`);
    if (status === 404) return false;
    const read = Notes.safeParse(json);
    // each note is emailed to the customer, so none is written as long as it is not known which there are
    if (!read.success) throw new ShopAway('The shop’s API does not list the notes of an order.');
    const missing = codes.filter((code) => !read.data.some(({ note }) => note.includes(code)));
    if (missing.length === 0) return true;
    const body = JSON.stringify({ note: await textOf(missing), customer_note: true });
    const headers = { 'content-type': 'application/json' };
    const written = await shop.ask(path, { method: 'POST', headers, body, once: true }).catch(refusedNote);
    return written.status !== 404;
  },
};

function refusedNote(error: unknown): never {
  if (!(error instanceof ShopRefuses)) throw error;
  throw new ShopRefuses(
    /\(40[13]\)/.test(error.message)
      ? 'No customer note can be written: enter a key of the shop’s REST API with the permission “Read/Write”. Until then we email the codes.'
      : `The shop takes no customer note, so we email the codes. ${error.message}`,
  );
}

/** A refund with the lines that it names; one of shipping alone takes nothing back, and is none. */
function withLines(reversal: ReversalSnapshot, refund: Refund | undefined, currency: string): ReversalSnapshot[] {
  if (!refund) return [reversal];
  const lines = refund.line_items.flatMap(({ quantity, meta_data }) => {
    const id = meta_data?.find(({ key }) => key === '_refunded_item_id')?.value;
    const line = idIn(typeof id === 'number' || typeof id === 'string' ? id : null);
    return line !== null && Math.abs(quantity) >= 1 ? [{ id: line, quantity: Math.floor(Math.abs(quantity)) }] : [];
  });
  if (lines.length > 0) return [{ ...reversal, lines, amount: null }];
  if (refund.line_items.length > 0) {
    const sum = refund.line_items.reduce((all, { total }) => all + Math.abs(minorOf(total, currency) ?? 0), 0);
    return [{ ...reversal, amount: decimalOf(sum, currency), isNet: true }];
  }
  return refund.shipping_lines.length > 0 || refund.fee_lines.length > 0 ? [] : [reversal];
}

export const woocommerce: Connector = {
  verify({ headers, body }: Inbound, secrets: readonly string[]): Verdict {
    // the request that it sends when a webhook is saved is not signed, means nothing, and has to be answered
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

  api,

  read({ headers, body }): Reading {
    const json = bodyIn(body);
    // a deleted order is an id alone: its refund names what to take back
    if (headerOf(headers, 'x-wc-webhook-topic') === 'order.deleted')
      return { ignored: 'The order was deleted, which refunds nothing.' };
    return readingOf(json);
  },
};

function readingOf(json: unknown): Reading {
  const read = Order.safeParse(json);
  if (!read.success) return { unusable: problemIn(read.error) };
  if (decimalsOf(read.data.currency) === null) return { unusable: 'currency: not known' };
  const reversals = reversalsOf(read.data);
  // an order names its refunds without their lines
  const lacks = read.data.refunds.length > 0 ? { lacks: 'refunds' } : {};
  return { order: orderOf(read.data), reversals, ...lacks };
}

/** `webhook_id=12`, as a form. */
const isPing = (body: Buffer) => body.length < 64 && /^webhook_id=\d+$/.test(body.toString('latin1'));

function orderOf(order: Order): OrderSnapshot {
  const { id, number, status, currency, date_paid_gmt, date_modified_gmt, billing, line_items, meta_data } = order;
  const { transaction_id, total } = order;
  const names = new Set([String(id), number ?? String(id)]);
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
    knownAs: [...(transaction_id ? [`pay:${transaction_id}`] : []), ...[...names].map((name) => `is:${name}`)],
    grossMinor: total === undefined ? null : minorOf(total, currency),
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
