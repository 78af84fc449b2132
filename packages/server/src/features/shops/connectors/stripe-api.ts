import { z } from 'zod';
import { DAY, SECOND } from '#platform/clock.ts';
import { ShopRefuses } from './api.ts';
import type {
  ApiConnector,
  LineSnapshot,
  ListPage,
  OrderSnapshot,
  Reading,
  ReversalSnapshot,
  ShopApi,
} from './port.ts';
import { idIn, problemIn } from './reading.ts';
import {
  Charge,
  Found,
  Invoice,
  isRenewal,
  Lines,
  Payments,
  paidAtOf,
  Refund,
  Refunds,
  Session,
} from './stripe-objects.ts';
import { hasFailed, invoiceReading, keyOf, lineOf, refundReading, sessionReading } from './stripe-snapshots.ts';

// Asks the seller's own account for what an event lacks, and for changes there.

const VERSION = '2025-03-31.basil';
const PER_PAGE = 100;
/** Pages of lines of one order, and of refunds of one charge. */
const MOST_PAGES = 5;
/** An invoice is listed by when it was made: its card may be tried again for so long before it is paid. */
const PAID_LATE = 30 * DAY;

export const api: ApiConnector = {
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
    const reported =
      what === 'failed'
        ? await withoutWhole(rest, id, shop)
        : what === 'charge'
          ? await withWhole(rest, id, shop)
          : rest;
    return ofInvoice(reported, shop);
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
    // a seller without subscriptions may give no right to read invoices
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

type Reported = { order?: OrderSnapshot; reversals?: readonly ReversalSnapshot[] };

async function withLines(reported: Reported, session: string, shop: ShopApi): Promise<Reading> {
  const { order } = reported;
  if (!order) return reported;
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
  return { ...reported, order: { ...order, lines } };
}

/**
 * Whether the charge of a refund is refunded as a whole, at once or in parts. That is a fact of its own, beside the amount of each refund: it is
 * over when one of them fails, whichever that is. So its key has how many had failed by then. They are counted first, so that one which fails
 * in between ends it.
 */
async function withWhole(reported: Reported, charge: string, shop: ShopApi): Promise<Reported> {
  const [refund] = reported.reversals ?? [];
  if (!refund) return reported;
  const failed = await failedOf(charge, shop);
  const { json } = await shop.ask(`/v1/charges/${encodeURIComponent(charge)}`);
  const read = Charge.safeParse(json);
  if (!read.success || !read.data.refunded) return reported;
  return {
    ...reported,
    reversals: [refund, { ...refund, key: wholeKey(charge, failed.size), isWhole: true, amount: null }],
  };
}

/** A refund failed: undoes every earlier report that its charge was refunded as a whole. */
async function withoutWhole(reported: Reported, charge: string, shop: ShopApi): Promise<Reported> {
  const { reversals = [] } = reported;
  const [refund] = reversals;
  if (!refund) return reported;
  const failed = (await failedOf(charge, shop)).add(refund.key);
  const over = Array.from({ length: failed.size }, (_, before) => wholeKey(charge, before));
  return {
    ...reported,
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
 * Finds the order of a refund or dispute, which names a payment. The checkout of a subscription and each renewal name
 * the invoice that the payment paid. A checkout that is paid once names its payment, even where it has an invoice.
 */
async function ofInvoice(reported: Reported, shop: ShopApi): Promise<Reading> {
  const { reversals = [] } = reported;
  const payment = reversals[0]?.orderId;
  if (!payment) return reported;
  const named = encodeURIComponent(payment);
  const { json } = await shop.ask(`/v1/checkout/sessions?limit=1&payment_intent=${named}`);
  const sessions = Found.safeParse(json);
  if (!sessions.success) return { unusable: `sessions: ${problemIn(sessions.error)}`.slice(0, 300) };
  if (sessions.data.data.length > 0) return reported;
  const paid = Payments.safeParse(await invoicesOf(named, shop));
  if (!paid.success) return { unusable: `invoice_payments: ${problemIn(paid.error)}`.slice(0, 300) };
  const invoice = paid.data.data.find((each) => each.invoice)?.invoice;
  return invoice
    ? { ...reported, orderKey: invoice, reversals: reversals.map((each) => ({ ...each, orderId: invoice })) }
    : reported;
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
