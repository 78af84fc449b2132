import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sameBytes } from '#platform/secrets/secrets.ts';
import { decimalOf, decimalsOf, minorOf, splitByWorth } from '../money.ts';
import { basic } from './api.ts';
import type {
  ApiConnector,
  Connector,
  Inbound,
  Label,
  LineSnapshot,
  ListPage,
  OrderSnapshot,
  Part,
  Reading,
  ReversalSnapshot,
  Verdict,
} from './port.ts';
import { AnyId, bodyIn, idIn, OTHER_SECRET, problemIn, readAs, Text } from './reading.ts';
import { headerOf, isSigned } from './signatures.ts';

// FastSpring. One request may bring events of several orders, which are kept one by one and answered together. Its license call comes before
// the order is told of and knows an order by its reference alone, so that is what an order is known by here.

const Amount = z.number();
const Ref = z.union([z.string(), z.object({ product: z.string() }).transform(({ product }) => product)]);
const Item = z.object({
  product: Ref,
  display: Text,
  sku: Text,
  quantity: z.int().min(1).max(10_000).default(1),
  subtotal: Amount,
  discount: Amount.default(0),
  subtotalInPayoutCurrency: Amount.optional(),
  discountInPayoutCurrency: Amount.default(0),
  /** Only in a part of a bundle: the bundle is what is sold. */
  parent: z.unknown().optional(),
});
type Item = z.output<typeof Item>;
const Order = z.object({
  reference: z.string(),
  currency: z.string(),
  payoutCurrency: Text,
  discount: Amount.default(0),
  language: Text,
  customer: z.object({ first: Text, last: Text, email: Text }).partial().nullish(),
  account: z
    .union([z.string(), z.object({ contact: z.object({ first: Text, last: Text, email: Text }).partial() })])
    .nullish(),
  address: z.object({ country: Text }).partial().nullish(),
  items: z.array(Item).max(500),
});
type Order = z.output<typeof Order>;
const Return = z.object({
  return: AnyId,
  currency: Text,
  original: z.object({ reference: z.string() }),
  items: z
    .array(z.object({ product: Ref, quantity: z.int().min(0).default(0), subtotal: Amount, refundType: Text }))
    .default([]),
});
const Chargeback = z.object({ id: AnyId.optional(), status: Text });
const Event = z.object({ id: z.string(), type: z.string(), created: z.number().optional(), data: z.unknown() });
const Rebill = z.object({ order: z.unknown() });

/** As far back as it lists what it could not deliver. */
const MOST_DAYS = 30;
const KNOWN =
  /^(order\.(completed|canceled|failed|payment\.pending)|subscription\.charge\.completed|return\.created|chargeback\.created|fulfillment\.failed)$/;
const NO_REFERENCE =
  'It names no order’s reference. In FastSpring, edit the webhook and switch on Enable webhook expansion, so that events have their whole order.';

const api: ApiConnector = {
  needs: ['key', 'secret'],
  every: 1440,
  isNeeded: () => false,
  base: () => 'https://api.fastspring.com',
  opens: (credentials) => ({ authorization: basic(credentials) }),
  probe: (shop) => shop.ask('/events/unprocessed?days=1'),
  complete: async (reading) => reading,
  /**
   * Events that the shop could not deliver. A page is marked as done when the next one is asked for: by then it was
   * worked on. The list has both modes of the store; events of the other mode are for another shop here or nobody.
   */
  async changes(shop, _since, page): Promise<ListPage> {
    for (const id of page?.split(' ') ?? [])
      await shop.ask(`/events/${encodeURIComponent(id)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"processed":true}',
      });
    const { json } = await shop.ask(`/events/unprocessed?days=${MOST_DAYS}`);
    const parts = eventsIn(json)
      .map((each) => ({ ...each, label: labelOf(each.event) }))
      .filter(({ label }) => label.test === null || label.test === (shop.mode === 'test'));
    const next = parts.map(({ id }) => id).join(' ');
    return {
      // events that were only just marked as done may still be in its list
      next: next === '' || next === page ? null : next,
      readings: parts.flatMap(({ label: { orderKey, ignored }, body }) =>
        orderKey === null || ignored ? [] : [{ orderKey, reading: fastspring.read({ headers: {}, body }) }],
      ),
    };
  },
};

function eventsIn(json: unknown): { id: string; event: Record<string, unknown>; body: Buffer }[] {
  const events = (json as { events?: unknown } | null)?.events;
  if (!Array.isArray(events)) return [];
  return events.flatMap((event: unknown) => {
    const id = idIn((event as { id?: unknown } | null)?.id);
    return id === null || typeof event !== 'object'
      ? []
      : [{ id, event: event as Record<string, unknown>, body: Buffer.from(JSON.stringify(event)) }];
  });
}

/** The most events of a request. */
const MOST_EVENTS = 500;

export const fastspring: Connector = {
  api,

  verify({ headers, body }: Inbound, secrets: readonly string[]): Verdict {
    const signature = headerOf(headers, 'x-fs-signature');
    if (!signature) return { ok: false, why: 'It has no X-FS-Signature. Enter our secret as its HMAC SHA256 Secret.' };
    return isSigned(body, { signatures: [signature], secrets, encoding: 'base64' })
      ? { ok: true }
      : { ok: false, why: OTHER_SECRET };
  },

  parts({ body }): Part[] {
    return eventsIn(bodyIn(body))
      .slice(0, MOST_EVENTS)
      .map(({ event, body: own }) => ({ label: labelOf(event), body: own }));
  },

  label: ({ body }): Label => labelOf(bodyIn(body) ?? {}),

  read({ body }): Reading {
    const read = Event.safeParse(bodyIn(body));
    if (!read.success) return { unusable: problemIn(read.error) };
    const { type, data } = read.data;
    const at = new Date(read.data.created ?? 0);
    if (type === 'return.created') return readAs(Return, data, (back) => returnReading(back, at));
    if (type === 'chargeback.created')
      return readAs(Chargeback, data, (dispute) => chargebackReading(dispute, data, at));
    if (type === 'subscription.charge.completed')
      return readAs(Rebill, data, ({ order }) => readAs(Order, order, (sale) => orderReading(sale, type, at)));
    return readAs(Order, data, (order) => orderReading(order, type, at));
  },
};

function labelOf(event: Record<string, unknown>): Label {
  const type = typeof event.type === 'string' ? event.type.slice(0, 100) : 'unknown';
  const base = {
    // sent again by hand it has another one, which converges all the same
    key: idIn(event.id),
    event: type,
    test: typeof event.live === 'boolean' ? !event.live : null,
  };
  if (!KNOWN.test(type)) return { ...base, orderKey: null, ignored: 'Nothing is done about events of this type.' };
  if (type === 'fulfillment.failed')
    return { ...base, orderKey: null, ignored: 'Its license call was refused; the order shows why.' };
  const orderKey = referenceIn(event.data);
  return orderKey === null
    ? { ...base, orderKey, ignored: NO_REFERENCE, trouble: NO_REFERENCE }
    : { ...base, orderKey };
}

/** The reference of the order that something is about. */
function referenceIn(data: unknown): string | null {
  const { reference, original, order } = (data ?? {}) as { reference?: unknown; original?: unknown; order?: unknown };
  const of = (value: unknown) => idIn((value as { reference?: unknown } | null | undefined)?.reference);
  return of(original) ?? of(order) ?? idIn(reference);
}

function orderReading(order: Order, type: string, at: Date): Reading {
  const { currency, reference, customer, account } = order;
  if (decimalsOf(currency) === null) return { unusable: 'currency: not known' };
  const contact = customer ?? (account && typeof account === 'object' ? account.contact : null);
  const isPaid = type.endsWith('.completed');
  const isOver = type === 'order.canceled' || type === 'order.failed';
  const snapshot: OrderSnapshot = {
    id: reference,
    number: reference,
    versionAt: at,
    paidAt: isPaid ? at : null,
    canceledAt: isOver ? at : null,
    isTest: false,
    currency,
    email: contact?.email ?? null,
    firstName: contact?.first ?? null,
    lastName: contact?.last ?? null,
    language: order.language,
    country: order.address?.country ?? null,
    lines: linesOf(order, type === 'subscription.charge.completed'),
  };
  return { order: snapshot };
}

function linesOf(order: Order, isRenewal: boolean): LineSnapshot[] {
  const items = order.items.filter(({ parent }) => parent === undefined || parent === null);
  const minor = (amount: number, currency: string) => Math.max(0, minorOf(amount.toFixed(4), currency) ?? 0);
  const { currency } = order;
  const own = items.map(({ discount }) => minor(discount, currency));
  // a coupon of the whole order is in no item
  const left = Math.max(0, minor(order.discount, currency) - own.reduce((sum, each) => sum + each, 0));
  const gross = items.map(({ subtotal }) => minor(subtotal, currency));
  const spread = splitByWorth(left, gross);
  const ids = lineIds(items);
  return items.map((item, at) => {
    const net = Math.max(0, (gross[at] as number) - (own[at] as number) - (spread[at] as number));
    return {
      id: ids[at] as string,
      keys: [`product:${item.product}`, ...(item.sku ? [item.sku] : [])],
      sku: item.sku,
      name: item.display ?? item.product,
      quantity: item.quantity,
      netMinor: net,
      usdCents: dollarsOf(item, order, net, gross[at] as number),
      isRenewal,
    };
  });
}

/** The lines have no ids: each is its product, and among several of one product its place. */
function lineIds(items: readonly { product: string }[]): string[] {
  const seen = new Map<string, number>();
  return items.map(({ product }) => {
    const n = (seen.get(product) ?? 0) + 1;
    seen.set(product, n);
    return lineId(product, n);
  });
}

export const lineId = (product: string, n: number): string => (n === 1 ? product : `${product}#${n}`);

/** The net price in dollars: the payout's subtotal, times the share of the net price in the gross price. */
function dollarsOf(item: Item, { payoutCurrency }: Order, net: number, gross: number): number | null {
  if (payoutCurrency !== 'USD' || item.subtotalInPayoutCurrency === undefined) return null;
  const dollars = Math.max(0, minorOf(item.subtotalInPayoutCurrency.toFixed(4), 'USD') ?? 0);
  return gross === 0 ? dollars : Math.round((dollars * net) / gross);
}

function returnReading(back: z.output<typeof Return>, at: Date): Reading {
  const base = { orderId: back.original.reference, kind: 'refund' as const, undoes: null, happenedAt: at };
  // several of one product are those of the order, one after the other
  const ids = lineIds(back.items);
  const items = back.items.map((item, at) => ({ ...item, id: ids[at] as string }));
  const whole = items.filter(({ refundType, quantity }) => quantity > 0 && /full/i.test(refundType ?? ''));
  const parts = items.filter((item) => !whole.includes(item) && item.subtotal > 0);
  const currency = back.currency ?? 'USD';
  const amount = parts.reduce((sum, { subtotal }) => sum + (minorOf(subtotal.toFixed(4), currency) ?? 0), 0);
  const reversals: ReversalSnapshot[] = [
    ...(whole.length > 0
      ? [
          {
            ...base,
            key: back.return,
            isWhole: false,
            lines: whole.map(({ id, quantity }) => ({ id, quantity })),
            amount: null,
          },
        ]
      : []),
    ...(amount > 0
      ? [{ ...base, key: `${back.return}:amount`, isWhole: false, lines: null, amount: decimalOf(amount, currency) }]
      : []),
  ];
  return reversals.length > 0 ? { reversals } : { ignored: 'It gives back tax alone, which takes no serial.' };
}

function chargebackReading({ id, status }: z.output<typeof Chargeback>, data: unknown, at: Date): Reading {
  const orderId = referenceIn(data) ?? '';
  const key = `chargeback:${id ?? orderId}`;
  const base = { orderId, isWhole: true, lines: null, amount: null, happenedAt: at };
  const dispute: ReversalSnapshot = { ...base, key, kind: 'chargeback', undoes: null };
  return {
    reversals: /won|reversed/i.test(status ?? '')
      ? [dispute, { ...base, key: `won:${key}`, kind: 'reinstatement', undoes: key }]
      : [dispute],
  };
}

/** The fields of the license call: a form, signed over its values in the order of their names. */
export interface LicenseCall {
  reference: string;
  product: string;
  quantity: number;
  email: string | null;
  name: string | null;
  isTest: boolean;
}

const Call = z.object({
  reference: z.string().trim().min(1).max(200),
  internalProductName: z.string().trim().min(1).max(200),
  quantity: z.coerce.number().int().min(1).max(500).default(1),
  email: Text,
  name: Text,
  test: Text,
});

const HASH = 'security_request_hash';

/** Reads a license call. @returns null for what FastSpring has not signed with the private key; unusable: why it can't be used. */
export function readLicenseCall(body: Buffer, privateKey: string): LicenseCall | { unusable: string } | null {
  if (privateKey.trim() === '') return null;
  const fields = new URLSearchParams(body.toString('utf8'));
  const names = [...new Set(fields.keys())].filter((name) => name !== HASH).sort(ordinal);
  const signed = names.map((name) => fields.get(name) ?? '').join('') + privateKey;
  const own = createHash('md5').update(signed, 'utf8').digest();
  const given = fields.get(HASH) ?? '';
  if (!/^[0-9a-fA-F]{32}$/.test(given) || !sameBytes(own, Buffer.from(given, 'hex'))) return null;
  const read = Call.safeParse(Object.fromEntries(fields));
  if (!read.success) return { unusable: problemIn(read.error) };
  const { reference, internalProductName: product, quantity, email, name, test } = read.data;
  return { reference, product, quantity, email, name, isTest: test === 'true' };
}

const ordinal = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
