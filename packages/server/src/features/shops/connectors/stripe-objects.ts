import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import { decimalsOf } from '../money.ts';
import { Text } from './reading.ts';

// Stripe's objects, as far as they are read.

const Ref = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();
export const Seconds = z.int().transform((seconds) => new Date(seconds * SECOND));

export const Session = z.object({
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
export type Session = z.output<typeof Session>;
export const Line = z.object({
  id: z.string(),
  description: Text,
  quantity: z.int().min(0).max(10_000).nullish(),
  amount_total: z.int(),
  amount_tax: z.int().default(0),
  price: z.object({ id: z.string(), product: Ref }).nullish(),
});
export type Line = z.output<typeof Line>;
export const Lines = z.object({ data: z.array(Line), has_more: z.boolean().default(false) });
export const Refund = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: Text,
  charge: Ref,
  payment_intent: Ref,
  created: Seconds.optional(),
});
export type Refund = z.output<typeof Refund>;
export const Refunds = z.object({
  data: z.array(z.object({ id: z.string(), status: Text })),
  has_more: z.boolean().default(false),
});
export const Found = z.object({ data: z.array(z.unknown()) });
export const Payments = z.object({ data: z.array(z.object({ invoice: Ref })) });
export const Charge = z.object({ amount: z.int(), amount_refunded: z.int(), refunded: z.boolean() });
export const Dispute = z.object({
  id: z.string(),
  status: z.string(),
  payment_intent: Ref,
  created: Seconds.optional(),
});
export type Dispute = z.output<typeof Dispute>;
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
export const Invoice = z.object({
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
export type Invoice = z.output<typeof Invoice>;
/** Any other invoice is of a checkout, which is listed itself. */
export const isRenewal = ({ billing_reason }: { billing_reason?: unknown }): boolean =>
  billing_reason === 'subscription_cycle';
export const paidAtOf = ({ status_transitions, created }: Invoice): Date | null =>
  status_transitions?.paid_at ?? created ?? null;

/** Currencies that Stripe counts without decimals. */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '));

/** An amount of Stripe's in the currency's own smallest unit: Stripe has ISK and UGX with two decimals, which have none. */
export function minorUnitsOf(amount: number, currency: string): number {
  const stripeDecimals = WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2;
  const ownDecimals = decimalsOf(currency) ?? 2;
  return Math.round(amount * 10 ** (ownDecimals - stripeDecimals));
}
