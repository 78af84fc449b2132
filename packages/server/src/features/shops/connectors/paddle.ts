import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import { decimalOf, decimalsOf, splitByWorth } from '../money.ts';
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
import { bodyIn, idIn, Minor, Moment, namesIn, OTHER_SECRET, problemIn, readAs, Text } from './reading.ts';
import { headerOf, isSigned } from './signatures.ts';

// Paddle Billing. Its events have neither the customer's address nor the name, so an API key is needed; refunds that are approved at once and
// all chargebacks come as `adjustment.created`, the others as `adjustment.updated` once they are approved.

/** Its own libraries allow five seconds, which refuse real ones. */
const TOLERANCE = 300 * SECOND;
/** Adjustments are listed in pages of so many at most. */
const PER_PAGE = 50;
/** All of a line, whatever its quantity is. */
const ALL_OF_IT = 10_000;

const Line = z.object({
  id: z.string(),
  price_id: Text,
  quantity: z.int().min(0).max(10_000),
  product: z.object({ id: Text, name: Text }).partial().nullish(),
  totals: z.object({ subtotal: Minor, discount: Minor.default(0), tax: Minor.default(0) }),
});
const Transaction = z.object({
  id: z.string(),
  status: z.string(),
  invoice_number: Text,
  origin: Text,
  currency_code: z.string(),
  billed_at: Moment.nullish(),
  updated_at: Moment.optional(),
  customer: z.object({ email: Text, name: Text, locale: Text }).partial().nullish(),
  address: z.object({ country_code: Text }).partial().nullish(),
  details: z.object({
    payout_totals: z.object({ currency_code: z.string(), subtotal: Minor, discount: Minor.default(0) }).nullish(),
    line_items: z.array(Line).max(500),
  }),
});
type Transaction = z.output<typeof Transaction>;
const Adjustment = z.object({
  id: z.string(),
  action: z.string(),
  status: z.string(),
  type: Text,
  transaction_id: z.string(),
  currency_code: Text,
  updated_at: Moment.nullish(),
  items: z.array(z.object({ item_id: z.string(), type: Text, amount: Minor })).default([]),
});
const Event = z.object({ event_type: z.string(), occurred_at: Moment, data: z.unknown() });
const One = z.object({ data: Transaction });
const Page = z.object({
  data: z.array(z.unknown()),
  meta: z.object({ pagination: z.object({ has_more: z.boolean().default(false) }).optional() }).optional(),
});

const KNOWN = /^(transaction\.(completed|paid|canceled)|adjustment\.(created|updated))$/;
const PAID = new Set(['completed', 'paid']);

const api: ApiConnector = {
  needs: ['key'],
  every: 1440,
  isNeeded: () => true,
  base: (_credentials, mode) => (mode === 'test' ? 'https://sandbox-api.paddle.com' : 'https://api.paddle.com'),
  opens: ({ key = '' }) => ({ authorization: `Bearer ${key}` }),
  probe: (shop) => shop.ask('/transactions?per_page=1'),
  async complete(reading, shop) {
    if (!('order' in reading) || !reading.order) return reading;
    const { lacks: _, order, ...rest } = reading;
    const { json } = await shop.ask(`/transactions/${encodeURIComponent(order.id)}?include=customer,address`);
    const read = One.safeParse(json);
    if (!read.success) return { unusable: `transaction: ${problemIn(read.error)}`.slice(0, 300) };
    return { ...rest, order: { ...order, ...buyerOf(read.data.data) } };
  },
  async changes(shop, since, page): Promise<ListPage> {
    const [list = 'transactions', after] = (page ?? 'transactions').split(' ');
    const isSales = list === 'transactions';
    const { json } = await shop.ask(
      `/${list}?updated_at[GTE]=${since.toISOString()}&per_page=${PER_PAGE}${isSales ? '&include=customer,address' : ''}${
        after ? `&after=${encodeURIComponent(after)}` : ''
      }`,
    );
    const read = Page.safeParse(json);
    if (!read.success) return { readings: [], next: null };
    const last = idIn((read.data.data.at(-1) as { id?: unknown } | undefined)?.id);
    const hasMore = read.data.meta?.pagination?.has_more === true && last !== null;
    return {
      next: hasMore ? `${list} ${last}` : isSales ? 'adjustments' : null,
      readings: read.data.data.flatMap((each) => (isSales ? listedSale(each) : listedAdjustment(each))),
    };
  },
};

function listedSale(entry: unknown): ListPage['readings'] {
  const read = Transaction.safeParse(entry);
  if (!read.success || !PAID.has(read.data.status)) return [];
  const reading = saleReading(read.data, read.data.updated_at ?? new Date(0));
  // it is listed with its customer
  return 'order' in reading && reading.order
    ? [{ orderKey: read.data.id, reading: { order: { ...reading.order, ...buyerOf(read.data) } } }]
    : [];
}

function listedAdjustment(entry: unknown): ListPage['readings'] {
  const read = Adjustment.safeParse(entry);
  return read.success ? [{ orderKey: read.data.transaction_id, reading: adjustmentReading(read.data) }] : [];
}

export const paddle: Connector = {
  api,

  verify({ headers, body, now }: Inbound, secrets: readonly string[]): Verdict {
    const parts = headerOf(headers, 'paddle-signature')
      .split(';')
      .map((part) => part.trim().split('='));
    const at = parts.find(([name]) => name === 'ts')?.[1] ?? '';
    // two while a secret is rotated
    const signatures = parts.flatMap(([name, value]) => (name === 'h1' && value ? [value] : []));
    if (!at || signatures.length === 0) return { ok: false, why: 'It has no Paddle-Signature.' };
    if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() - Number(at) * SECOND) > TOLERANCE)
      return { ok: false, why: 'Its time is more than five minutes from now.' };
    const signed = Buffer.concat([Buffer.from(`${at}:`), body]);
    return isSigned(signed, { signatures, secrets, encoding: 'hex' }) ? { ok: true } : { ok: false, why: OTHER_SECRET };
  },

  label({ body }): Label {
    const json = bodyIn(body);
    const event = typeof json?.event_type === 'string' ? json.event_type.slice(0, 100) : 'unknown';
    const data = (json?.data ?? {}) as Record<string, unknown>;
    const orderKey = idIn(event.startsWith('adjustment.') ? data.transaction_id : data.id);
    const ignored = KNOWN.test(event) ? {} : { ignored: 'Nothing is done about events of this type.' };
    // the id of the event; the notification has one for each address
    return { key: idIn(json?.event_id), event, orderKey, test: null, ...ignored };
  },

  read({ body }): Reading {
    const read = Event.safeParse(bodyIn(body));
    if (!read.success) return { unusable: problemIn(read.error) };
    const { event_type, occurred_at, data } = read.data;
    return event_type.startsWith('adjustment.')
      ? readAs(Adjustment, data, adjustmentReading)
      : readAs(Transaction, data, (transaction) => saleReading(transaction, occurred_at));
  },
};

const buyerOf = ({ customer, address }: Transaction) => ({
  email: customer?.email ?? null,
  ...namesIn(customer?.name),
  language: customer?.locale ?? null,
  country: address?.country_code ?? null,
});

function saleReading(transaction: Transaction, versionAt: Date): Reading {
  const { currency_code: currency, details, status } = transaction;
  if (decimalsOf(currency) === null) return { unusable: 'currency_code: not known' };
  const nets = details.line_items.map(({ totals }) => Math.max(0, totals.subtotal - totals.discount));
  const { payout_totals: payout } = details;
  const dollars =
    payout?.currency_code === 'USD' ? splitByWorth(Math.max(0, payout.subtotal - payout.discount), nets) : null;
  const tax = details.line_items.reduce((sum, { totals }) => sum + totals.tax, 0);
  const isRenewal = transaction.origin === 'subscription_recurring';
  const order: OrderSnapshot = {
    id: transaction.id,
    number: transaction.invoice_number ?? transaction.id,
    versionAt,
    paidAt: PAID.has(status) ? (transaction.billed_at ?? versionAt) : null,
    canceledAt: status === 'canceled' ? versionAt : null,
    isTest: false,
    currency,
    ...buyerOf(transaction),
    grossMinor: nets.reduce((sum, net) => sum + net, tax),
    lines: details.line_items.map((line, at) => ({
      id: line.id,
      keys: [
        ...(line.price_id ? [`variant:${line.price_id}`] : []),
        ...(line.product?.id ? [`product:${line.product.id}`] : []),
      ],
      sku: null,
      name: line.product?.name ?? line.price_id ?? line.id,
      quantity: line.quantity,
      netMinor: nets[at] as number,
      usdCents: dollars?.[at] ?? null,
      isRenewal,
    })),
  };
  return { order, lacks: 'buyer' };
}

function adjustmentReading(adjustment: z.output<typeof Adjustment>): Reading {
  const { id, action, status, transaction_id: orderId, updated_at } = adjustment;
  const base = { orderId, isWhole: true, lines: null, amount: null, undoes: null, happenedAt: updated_at ?? null };
  if (status === 'pending_approval') return { ignored: 'It waits for Paddle’s approval, and counts once it has that.' };
  if (status === 'rejected') return { ignored: 'Paddle has rejected it.' };
  // a transaction has one dispute at a time, and what undoes it does not name it
  if (action === 'chargeback') return { reversals: [{ ...base, key: 'chargeback', kind: 'chargeback' }] };
  if (action === 'chargeback_warning') return { reversals: [{ ...base, key: 'inquiry', kind: 'inquiry' }] };
  if (action === 'chargeback_reverse')
    return { reversals: [{ ...base, key: `reverse:${id}`, kind: 'reinstatement', undoes: 'chargeback' }] };
  if (action === 'chargeback_warning_reverse')
    return { reversals: [{ ...base, key: `reverse:${id}`, kind: 'reinstatement', undoes: 'inquiry' }] };
  if (action !== 'refund') return { ignored: 'A credit takes no serial back.' };
  const refunds = refundsOf(adjustment);
  if (refunds.length === 0) return { ignored: 'It gives back tax alone, which takes no serial.' };
  if (status !== 'reversed') return { reversals: refunds };
  const undone = refunds.map(({ key }) => ({
    ...base,
    key: `reverse:${key}`,
    kind: 'reinstatement' as const,
    undoes: key,
  }));
  return { reversals: [...refunds, ...undone] };
}

/** Whole lines by their ids, parts of them as an amount. */
function refundsOf(adjustment: z.output<typeof Adjustment>): ReversalSnapshot[] {
  const { id, type, items, transaction_id: orderId, updated_at, currency_code } = adjustment;
  const base = { orderId, kind: 'refund' as const, undoes: null, happenedAt: updated_at ?? null };
  if (type === 'full') return [{ ...base, key: id, isWhole: true, lines: null, amount: null }];
  const whole = items.filter((item) => item.type === 'full');
  const parts = items.filter((item) => item.type === 'partial');
  const minor = parts.reduce((sum, { amount }) => sum + Math.abs(amount), 0);
  const lines = whole.map(({ item_id }) => ({ id: item_id, quantity: ALL_OF_IT }));
  return [
    ...(lines.length > 0 ? [{ ...base, key: id, isWhole: false, lines, amount: null }] : []),
    ...(minor > 0
      ? [
          {
            ...base,
            key: lines.length > 0 ? `${id}:amount` : id,
            isWhole: false,
            lines: null,
            amount: decimalOf(minor, currency_code ?? 'USD'),
          },
        ]
      : []),
  ];
}
