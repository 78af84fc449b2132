import { z } from 'zod';
import { DAY, SECOND } from '#platform/clock.ts';
import { decimalOf, decimalsOf } from '../money.ts';
import { ShopRefuses } from './api.ts';
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
  ShopApi,
  Verdict,
} from './port.ts';
import { bodyIn, idIn, namesIn, OTHER_SECRET, problemIn, readAs, Text } from './reading.ts';
import { headerOf, isSigned } from './signatures.ts';

// Checkout and Payment Links of the seller's own Stripe account. An event has no lines, so a restricted key is needed; and a refund does not
// report whether it was all, which its charge does. Of the two events of one refund, `refund.*` counts and `charge.refunded` does not.

const TOLERANCE = 300 * SECOND;
const VERSION = '2025-03-31.basil';
const PER_PAGE = 100;
const LONGEST_NUMBER = 100;
/** Pages of lines of one order, and of refunds of one charge. */
const MOST_PAGES = 5;
/** An invoice is listed by when it was made: its card may be tried again for so long before it is paid. */
const PAID_LATE = 30 * DAY;

const Ref = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();
const Seconds = z.int().transform((seconds) => new Date(seconds * SECOND));

const Session = z.object({
  id: z.string(),
  status: Text,
  payment_status: Text,
  payment_intent: Ref,
  invoice: Ref,
  created: Seconds.optional(),
  currency: Text,
  amount_total: z.int().nullish(),
  locale: Text,
  livemode: z.boolean().optional(),
  customer_details: z
    .object({ email: Text, name: Text, address: z.object({ country: Text }).partial().nullish() })
    .partial()
    .nullish(),
  customer_email: Text,
  client_reference_id: Text,
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Session = z.output<typeof Session>;
const Line = z.object({
  id: z.string(),
  description: Text,
  quantity: z.int().min(0).max(10_000).nullish(),
  amount_total: z.int(),
  amount_tax: z.int().default(0),
  price: z.object({ id: z.string(), product: Ref }).nullish(),
});
const Lines = z.object({ data: z.array(Line), has_more: z.boolean().default(false) });
const Refund = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: Text,
  charge: Ref,
  payment_intent: Ref,
  created: Seconds.optional(),
});
const Refunds = z.object({
  data: z.array(z.object({ id: z.string(), status: Text })),
  has_more: z.boolean().default(false),
});
const Found = z.object({ data: z.array(z.unknown()) });
const Payments = z.object({ data: z.array(z.object({ invoice: Ref })) });
const Charge = z.object({ amount: z.int(), amount_refunded: z.int(), refunded: z.boolean() });
const Dispute = z.object({ id: z.string(), status: z.string(), payment_intent: Ref, created: Seconds.optional() });
const InvoiceLine = z.object({
  id: z.string(),
  description: Text,
  quantity: z.int().min(0).max(10_000).nullish(),
  amount: z.int(),
  discount_amounts: z.array(z.object({ amount: z.int() })).nullish(),
  price: z.object({ id: z.string(), product: Ref }).nullish(),
  pricing: z
    .object({ price_details: z.object({ price: Text, product: Text }).partial().nullish() })
    .partial()
    .nullish(),
});
const Invoice = z.object({
  id: z.string(),
  number: Text,
  billing_reason: Text,
  currency: z.string(),
  customer_email: Text,
  customer_name: Text,
  total: z.int().nullish(),
  created: Seconds.optional(),
  status_transitions: z.object({ paid_at: Seconds.nullish() }).nullish(),
  lines: z.object({ data: z.array(InvoiceLine).max(500) }),
});
const Event = z.object({ created: Seconds, type: z.string(), data: z.object({ object: z.unknown() }) });

const SESSIONS = /^checkout\.session\.(completed|async_payment_succeeded|async_payment_failed|expired)$/;
const REFUNDS = /^refund\.(created|updated|failed)$/;
const DISPUTES = /^charge\.dispute\.(created|updated|closed|funds_withdrawn|funds_reinstated)$/;
const PAID = new Set(['paid', 'no_payment_required']);

const api: ApiConnector = {
  needs: ['key'],
  every: 1440,
  isNeeded: () => true,
  base: () => 'https://api.stripe.com',
  opens: ({ key = '' }) => ({ authorization: `Bearer ${key}`, 'stripe-version': VERSION }),
  async probe(shop) {
    const { key = '' } = shop.credentials;
    const mode = /^(?:sk|rk)_(live|test)_/.exec(key)?.[1];
    if (mode && mode !== shop.mode)
      throw new ShopRefuses(`This key is of Stripe’s ${mode} mode, and this shop is set to ${shop.mode}.`);
    await shop.ask('/v1/checkout/sessions?limit=1');
  },
  async complete(reading, shop) {
    if (!('lacks' in reading) || !reading.lacks) return reading;
    const { lacks, ...rest } = reading;
    const [what, id = ''] = lacks.split(' ');
    if (what === 'lines') return withLines(rest, id, shop);
    const told =
      what === 'failed'
        ? await withoutWhole(rest, id, shop)
        : what === 'charge'
          ? await withWhole(rest, id, shop)
          : rest;
    return ofInvoice(told, shop);
  },
  async changes(shop, since, page): Promise<ListPage> {
    const [list = 'sessions', after] = (page ?? 'sessions').split(' ');
    const from = Math.floor((since.getTime() - (list === 'invoices' ? PAID_LATE : 0)) / SECOND);
    const on = after ? `&starting_after=${encodeURIComponent(after)}` : '';
    const json = await pageOf(list, `limit=${PER_PAGE}&created[gte]=${from}${on}`, shop);
    const found = z.object({ data: z.array(z.unknown()), has_more: z.boolean().default(false) }).safeParse(json);
    if (!found.success) return { readings: [], next: null };
    const { data, has_more } = found.data;
    const last = idIn((data.at(-1) as { id?: unknown } | undefined)?.id);
    const next = has_more && last !== null ? `${list} ${last}` : (LISTS[LISTS.indexOf(list) + 1] ?? null);
    return { next, readings: data.flatMap((each) => listed(list, each, since)) };
  },
};

/** One after the other. */
const LISTS = ['sessions', 'refunds', 'invoices'];

async function pageOf(list: string, query: string, shop: ShopApi): Promise<unknown> {
  if (list !== 'invoices')
    return (await shop.ask(`/v1/${list === 'sessions' ? 'checkout/sessions' : list}?${query}`)).json;
  try {
    return (await shop.ask(`/v1/invoices?status=paid&${query}`)).json;
  } catch (error) {
    // whoever sells no subscriptions gives no right to read them
    if (error instanceof ShopRefuses) return null;
    throw error;
  }
}

/** An entry of a list as if it had been told of. One that was never completed sold nothing. */
function listed(list: string, entry: unknown, since: Date): ListPage['readings'] {
  if (list === 'sessions') {
    const session = Session.safeParse(entry);
    if (!session.success || session.data.status !== 'complete') return [];
    const at = session.data.created ?? new Date(0);
    return [{ orderKey: keyOf(session.data), reading: sessionReading(session.data, at, 'checkout.session.completed') }];
  }
  if (list === 'invoices') {
    const invoice = Invoice.safeParse(entry);
    const at = invoice.success && isRenewal(invoice.data) ? paidAtOf(invoice.data) : null;
    return at !== null && at >= since && invoice.success
      ? [{ orderKey: invoice.data.id, reading: invoiceReading(invoice.data, at) }]
      : [];
  }
  const refund = Refund.safeParse(entry);
  const orderKey = refund.success ? refund.data.payment_intent : null;
  return refund.success && orderKey ? [{ orderKey, reading: refundReading(refund.data, orderKey) }] : [];
}

/** Any other invoice is of a checkout, which is listed itself. */
const isRenewal = ({ billing_reason }: { billing_reason?: unknown }): boolean =>
  billing_reason === 'subscription_cycle';
const paidAtOf = ({ status_transitions, created }: z.output<typeof Invoice>): Date | null =>
  status_transitions?.paid_at ?? created ?? null;

type Told = { order?: OrderSnapshot; reversals?: readonly ReversalSnapshot[] };

async function withLines(told: Told, session: string, shop: ShopApi): Promise<Reading> {
  const { order } = told;
  if (!order) return told;
  const lines: LineSnapshot[] = [];
  let after = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { json } = await shop.ask(
      `/v1/checkout/sessions/${encodeURIComponent(session)}/line_items?limit=${PER_PAGE}${after}`,
    );
    const read = Lines.safeParse(json);
    if (!read.success) return { unusable: `line_items: ${problemIn(read.error)}`.slice(0, 300) };
    for (const line of read.data.data) lines.push(lineOf(line, order.currency));
    const last = read.data.data.at(-1)?.id;
    if (!read.data.has_more || last === undefined) break;
    after = `&starting_after=${encodeURIComponent(last)}`;
  }
  return { ...told, order: { ...order, lines } };
}

/**
 * Whether the charge of a refund is refunded as a whole, at once or in parts. That is a fact of its own, beside the amount of each refund: it is
 * over when one of them fails, whichever that is. So its key has how many had failed by then. They are counted first, so that one which fails
 * in between ends it.
 */
async function withWhole(told: Told, charge: string, shop: ShopApi): Promise<Told> {
  const [refund] = told.reversals ?? [];
  if (!refund) return told;
  const failed = await failedOf(charge, shop);
  const { json } = await shop.ask(`/v1/charges/${encodeURIComponent(charge)}`);
  const read = Charge.safeParse(json);
  if (!read.success || !read.data.refunded) return told;
  return {
    ...told,
    reversals: [refund, { ...refund, key: wholeKey(charge, failed.size), isWhole: true, amount: null }],
  };
}

/** By a refund that failed, nothing that was known before makes its charge one that is refunded as a whole. */
async function withoutWhole(told: Told, charge: string, shop: ShopApi): Promise<Told> {
  const { reversals = [] } = told;
  const [refund] = reversals;
  if (!refund) return told;
  const failed = (await failedOf(charge, shop)).add(refund.key);
  const over = Array.from({ length: failed.size }, (_, before) => wholeKey(charge, before));
  return {
    ...told,
    reversals: [
      ...reversals,
      ...over.map((undoes) => ({
        ...refund,
        key: `failed:${undoes}`,
        kind: 'reinstatement' as const,
        amount: null,
        undoes,
      })),
    ],
  };
}

const wholeKey = (charge: string, failed: number): string => `whole:${charge}:${failed}`;

/** The refunds of a charge that did not arrive. */
async function failedOf(charge: string, shop: ShopApi): Promise<Set<string>> {
  const failed = new Set<string>();
  let after = '';
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { json } = await shop.ask(`/v1/refunds?limit=${PER_PAGE}&charge=${encodeURIComponent(charge)}${after}`);
    const read = Refunds.safeParse(json);
    if (!read.success) break;
    for (const { id, status } of read.data.data) if (hasFailed(status)) failed.add(id);
    const last = read.data.data.at(-1)?.id;
    if (!read.data.has_more || last === undefined) break;
    after = `&starting_after=${encodeURIComponent(last)}`;
  }
  return failed;
}

/**
 * What is taken back names a payment. The checkout of a subscription and each renewal of it name the invoice that was paid by that. One that is
 * paid once names its payment, also where an invoice is made of it.
 */
async function ofInvoice(told: Told, shop: ShopApi): Promise<Reading> {
  const { reversals = [] } = told;
  const payment = reversals[0]?.orderId;
  if (!payment) return told;
  const named = encodeURIComponent(payment);
  const { json } = await shop.ask(`/v1/checkout/sessions?limit=1&payment_intent=${named}`);
  const sessions = Found.safeParse(json);
  if (!sessions.success) return { unusable: `sessions: ${problemIn(sessions.error)}`.slice(0, 300) };
  if (sessions.data.data.length > 0) return told;
  const paid = Payments.safeParse(await invoicesOf(named, shop));
  if (!paid.success) return { unusable: `invoice_payments: ${problemIn(paid.error)}`.slice(0, 300) };
  const invoice = paid.data.data.find((each) => each.invoice)?.invoice;
  return invoice
    ? { ...told, orderKey: invoice, reversals: reversals.map((each) => ({ ...each, orderId: invoice })) }
    : told;
}

async function invoicesOf(payment: string, shop: ShopApi): Promise<unknown> {
  try {
    const path = '/v1/invoice_payments?limit=1&payment[type]=payment_intent&payment[payment_intent]=';
    return (await shop.ask(`${path}${payment}`)).json;
  } catch (error) {
    if (!(error instanceof ShopRefuses)) throw error;
    throw new ShopRefuses(
      `${error.message} A refund or a dispute may be of a subscription, whose invoices the key has to read: give it Invoices as well.`,
    );
  }
}

export const stripe: Connector = {
  api,

  verify({ headers, body, now }: Inbound, secrets: readonly string[]): Verdict {
    const parts = headerOf(headers, 'stripe-signature')
      .split(',')
      .map((part) => part.trim().split('='));
    const at = parts.find(([name]) => name === 't')?.[1] ?? '';
    const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
    if (!at || signatures.length === 0) return { ok: false, why: 'It has no Stripe-Signature.' };
    if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() - Number(at) * SECOND) > TOLERANCE)
      return { ok: false, why: 'Its time is more than five minutes from now.' };
    const signed = Buffer.concat([Buffer.from(`${at}.`), body]);
    return isSigned(signed, { signatures, secrets, encoding: 'hex' }) ? { ok: true } : { ok: false, why: OTHER_SECRET };
  },

  label({ body }): Label {
    const json = bodyIn(body);
    const event = typeof json?.type === 'string' ? json.type.slice(0, 100) : 'unknown';
    const object = ((json?.data ?? {}) as { object?: Record<string, unknown> }).object ?? {};
    const base = {
      key: idIn(json?.id),
      event,
      test: typeof json?.livemode === 'boolean' ? !json.livemode : null,
    };
    if (SESSIONS.test(event))
      return { ...base, orderKey: refIn(object.payment_intent) ?? refIn(object.invoice) ?? idIn(object.id) };
    if (REFUNDS.test(event) || DISPUTES.test(event)) return { ...base, orderKey: refIn(object.payment_intent) };
    if (event === 'invoice.paid')
      return isRenewal(object)
        ? { ...base, orderKey: idIn(object.id) }
        : { ...base, orderKey: null, ignored: 'It is of a checkout, which reports itself.' };
    const ignored =
      event === 'charge.refunded'
        ? 'refund.created and refund.updated report the same, refund by refund. Send those.'
        : 'Nothing is done about events of this type.';
    return { ...base, orderKey: null, ignored };
  },

  read({ body }): Reading {
    const read = Event.safeParse(bodyIn(body));
    if (!read.success) return { unusable: problemIn(read.error) };
    const { type, created, data } = read.data;
    if (SESSIONS.test(type)) return readAs(Session, data.object, (session) => sessionReading(session, created, type));
    if (type === 'invoice.paid') return readAs(Invoice, data.object, (invoice) => invoiceReading(invoice, created));
    if (REFUNDS.test(type))
      return readAs(Refund, data.object, (refund) => refundReading(refund, refund.payment_intent ?? ''));
    return readAs(Dispute, data.object, disputeReading);
  },
};

const refIn = (value: unknown): string | null =>
  idIn(value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : value);

/** What a payment's refunds and disputes name; where nothing was to be paid, the session itself. */
const keyOf = ({ id, payment_intent, invoice }: Session): string => payment_intent ?? invoice ?? id;

/** Where another shop has its customers pay by Stripe, the payment names that shop's order. */
function knownAs({ payment_intent, client_reference_id, metadata }: Session): string[] {
  const named = [metadata?.order_id, metadata?.order_number, client_reference_id];
  const orders = named.flatMap((each) => {
    const id = idIn(each);
    return id !== null && id.length <= LONGEST_NUMBER ? [`of:${id.replace(/^#/, '')}`] : [];
  });
  return [...(payment_intent ? [`pay:${payment_intent}`] : []), ...orders];
}

function sessionReading(session: Session, at: Date, type: string): Reading {
  const currency = (session.currency ?? '').toUpperCase();
  if (decimalsOf(currency) === null) return { unusable: 'currency: not known' };
  const { customer_details: customer } = session;
  const isPaid = PAID.has(session.payment_status ?? '') && !type.endsWith('.expired');
  const order: OrderSnapshot = {
    id: keyOf(session),
    number: session.id,
    versionAt: at,
    paidAt: isPaid ? at : null,
    canceledAt: /(failed|expired)$/.test(type) ? at : null,
    isTest: session.livemode === false,
    currency,
    email: customer?.email ?? session.customer_email,
    ...namesIn(customer?.name),
    language: session.locale === 'auto' ? null : session.locale,
    country: customer?.address?.country ?? null,
    knownAs: knownAs(session),
    grossMinor: session.amount_total == null ? null : oursOf(session.amount_total, currency),
    lines: [],
  };
  return { order, lacks: `lines ${session.id}` };
}

function invoiceReading(invoice: z.output<typeof Invoice>, at: Date): Reading {
  const currency = invoice.currency.toUpperCase();
  if (decimalsOf(currency) === null) return { unusable: 'currency: not known' };
  const order: OrderSnapshot = {
    id: invoice.id,
    number: invoice.number ?? invoice.id,
    versionAt: at,
    paidAt: at,
    canceledAt: null,
    isTest: false,
    currency,
    email: invoice.customer_email,
    ...namesIn(invoice.customer_name),
    language: null,
    country: null,
    grossMinor: invoice.total == null ? null : oursOf(invoice.total, currency),
    lines: invoice.lines.data.map((line) => {
      const off = line.discount_amounts?.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
      const { price, pricing } = line;
      const details = pricing?.price_details;
      return {
        id: line.id,
        keys: keysOf(price?.id ?? details?.price, price?.product ?? details?.product),
        sku: null,
        name: line.description ?? line.id,
        quantity: line.quantity ?? 1,
        netMinor: Math.max(0, oursOf(line.amount - off, currency)),
        isRenewal: true,
      };
    }),
  };
  return { order };
}

const keysOf = (price: string | null | undefined, product: string | null | undefined): string[] => [
  ...(price ? [`variant:${price}`] : []),
  ...(product ? [`product:${product}`] : []),
];

const lineOf = (line: z.output<typeof Line>, currency: string): LineSnapshot => ({
  id: line.id,
  keys: keysOf(line.price?.id, line.price?.product),
  sku: null,
  name: line.description ?? line.id,
  quantity: line.quantity ?? 1,
  netMinor: Math.max(0, oursOf(line.amount_total - line.amount_tax, currency)),
});

/** The money did not arrive, so it was not refunded. */
/** Whose payment it is. */
const ofPayment = (payment: string) => (payment ? { lacks: 'payment' } : {});

const hasFailed = (status: string | null): boolean => status === 'failed' || status === 'canceled';

function refundReading(
  { id, amount, currency, status, charge, created }: z.output<typeof Refund>,
  orderId: string,
): Reading {
  const ours = currency.toUpperCase();
  const base = { orderId, lines: null, happenedAt: created ?? null };
  const refund: ReversalSnapshot = {
    ...base,
    key: id,
    kind: 'refund',
    isWhole: false,
    amount: decimalOf(oursOf(amount, ours), ours),
    undoes: null,
  };
  if (hasFailed(status))
    return {
      ...(charge ? { lacks: `failed ${charge}` } : ofPayment(orderId)),
      reversals: [
        refund,
        { ...base, key: `failed:${id}`, kind: 'reinstatement', isWhole: false, amount: null, undoes: id },
      ],
    };
  return { reversals: [refund], ...(charge ? { lacks: `charge ${charge}` } : ofPayment(orderId)) };
}

function disputeReading({ id, status, payment_intent, created }: z.output<typeof Dispute>): Reading {
  const base = {
    orderId: payment_intent ?? '',
    isWhole: true,
    lines: null,
    amount: null,
    happenedAt: created ?? null,
  };
  const warning = { ...base, key: `inquiry:${id}`, kind: 'inquiry' as const, undoes: null };
  const dispute = { ...base, key: id, kind: 'chargeback' as const, undoes: null };
  const over = (of: ReversalSnapshot) => ({
    ...base,
    key: `over:${of.key}`,
    kind: 'reinstatement' as const,
    undoes: of.key,
  });
  if (status === 'prevented') return { ignored: 'The dispute was prevented.' };
  const lacks = ofPayment(base.orderId);
  if (status === 'warning_closed') return { ...lacks, reversals: [warning, over(warning)] };
  if (status.startsWith('warning_')) return { ...lacks, reversals: [warning] };
  return { ...lacks, reversals: status === 'won' ? [dispute, over(dispute)] : [dispute] };
}

/** Currencies that Stripe counts without decimals. */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '));

/** An amount of Stripe's in the currency's own smallest unit: Stripe has ISK and UGX with two decimals, which have none. */
function oursOf(amount: number, currency: string): number {
  const theirs = WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2;
  const ours = decimalsOf(currency) ?? 2;
  return Math.round(amount * 10 ** (ours - theirs));
}
