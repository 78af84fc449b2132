import { decimalOf, decimalsOf } from '../money.ts';
import type { LineSnapshot, OrderSnapshot, Reading, ReversalSnapshot } from './port.ts';
import { idIn, namesIn } from './reading.ts';
import { type Dispute, type Invoice, type Line, minorUnitsOf, type Refund, type Session } from './stripe-objects.ts';

// Turns Stripe's objects into those of the port.

const LONGEST_NUMBER = 100;
const PAID = new Set(['paid', 'no_payment_required']);

/** The id that a payment's refunds and disputes name; where nothing was to be paid, that of the session itself. */
export const keyOf = ({ id, payment_intent, invoice }: Session): string => payment_intent ?? invoice ?? id;

/** Other ids of an order. If another shop has its customers pay by Stripe, the payment names that shop's order. */
function knownAs({ payment_intent, client_reference_id, metadata }: Session): string[] {
  const named = [metadata?.order_id, metadata?.order_number, client_reference_id];
  const orders = named.flatMap((each) => {
    const id = idIn(each);
    return id !== null && id.length <= LONGEST_NUMBER ? [`of:${id.replace(/^#/, '')}`] : [];
  });
  return [...(payment_intent ? [`pay:${payment_intent}`] : []), ...orders];
}

export function sessionReading(session: Session, at: Date, type: string): Reading {
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
    grossMinor: session.amount_total == null ? null : minorUnitsOf(session.amount_total, currency),
    lines: [],
  };
  return { order, lacks: `lines ${session.id}` };
}

export function invoiceReading(invoice: Invoice, at: Date): Reading {
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
    grossMinor: invoice.total == null ? null : minorUnitsOf(invoice.total, currency),
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
        netMinor: Math.max(0, minorUnitsOf(line.amount - off, currency)),
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

export const lineOf = (line: Line, currency: string): LineSnapshot => ({
  id: line.id,
  keys: keysOf(line.price?.id, line.price?.product),
  sku: null,
  name: line.description ?? line.id,
  quantity: line.quantity ?? 1,
  netMinor: Math.max(0, minorUnitsOf(line.amount_total - line.amount_tax, currency)),
});

/** Whose payment it is. */
const ofPayment = (payment: string) => (payment ? { lacks: 'payment' } : {});

/** The money did not arrive, so it was not refunded. */
export const hasFailed = (status: string | null): boolean => status === 'failed' || status === 'canceled';

export function refundReading({ id, amount, currency, status, charge, created }: Refund, orderId: string): Reading {
  const code = currency.toUpperCase();
  const base = { orderId, lines: null, happenedAt: created ?? null };
  const refund: ReversalSnapshot = {
    ...base,
    key: id,
    kind: 'refund',
    isWhole: false,
    amount: decimalOf(minorUnitsOf(amount, code), code),
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

export function disputeReading({ id, status, payment_intent, created }: Dispute): Reading {
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
