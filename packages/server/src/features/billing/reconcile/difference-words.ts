import type { Cents } from '#platform/money.ts';
import { money } from '#platform/paper/words.ts';
import type { PaymentInvoice } from '#platform/payments/payments.ts';

// Texts for admins: what a difference is, and what to do about it. Buttons have the names from the invoice's page.

type Status = PaymentInvoice['status'];

/** A statement's state and the invoice's status, which do not belong together. */
export function otherStatus(state: string, status: Status): string {
  return `It is ${state} here and ${status === 'draft' ? 'a draft' : status} at Stripe. ${mendStatus(state, status)}`;
}

function mendStatus(state: string, status: Status): string {
  if (state === 'void')
    return status === 'paid'
      ? 'Refund the payment at Stripe.'
      : 'Void it at Stripe too, or somebody may still pay it there.';
  if (state === 'paid')
    return 'Look for the payment at Stripe: if the money has arrived, mark the invoice as paid there; if not, charge it there.';
  if (status === 'paid')
    return 'Choose “Try again” here: the payment is noted, and nothing is charged a second time. Check that Stripe’s events reach /api/stripe/webhook.';
  if (status === 'void') return 'Choose “Void invoice” here too.';
  if (state === 'uncollectible') return 'Mark it as uncollectible at Stripe too, or choose “Try again” here.';
  if (status === 'uncollectible') return 'Choose “Mark uncollectible” here too, or “Try again” to charge it once more.';
  return 'Choose “Try again” here: it is completed and charged.';
}

/** A statement, and an invoice over something else. */
export function otherTotal(
  { state, total: owed }: { state: string; total: Cents },
  { status, total }: Pick<PaymentInvoice, 'status' | 'total'>,
): string {
  const mend = mendTotal(state, status, { more: total - owed, owed });
  return `Stripe’s invoice is over ${money(total)} instead of ${money(owed)}. ${mend}`;
}

function mendTotal(state: string, status: Status, { more, owed }: { more: Cents; owed: Cents }): string {
  if (status !== 'paid' && (state === 'paid' || state === 'void'))
    return `It is ${state} here and ${status} at Stripe: void it there.`;
  if (status !== 'paid')
    return `Choose “Void invoice” here, which voids it at Stripe, and settle ${money(owed)} with the developer.`;
  return more > 0
    ? `Refund ${money(more)} at Stripe.`
    : `${money(-more)} were not collected: settle that with the developer.`;
}

export const severalInvoices = (count: number): string =>
  `Stripe has ${count} invoices for it. Void all but one there; what was paid more than once has to be refunded.`;

export const NO_INVOICE =
  'Its invoice is not at Stripe. Check that STRIPE_SECRET_KEY belongs to the Stripe account that it was made in.';

/** An invoice at Stripe with the id of a statement that is not here. */
export function stranger({ status, total }: Pick<PaymentInvoice, 'status' | 'total'>): string {
  const what = `Stripe has an invoice over ${money(total)} (${status}) that is not here.`;
  return status === 'paid'
    ? `${what} If this database was set back to a backup, void the invoice of that month here or refund this one; then remove statement_id from its metadata.`
    : `${what} Void it at Stripe, unless another server uses the same account: each needs one of its own.`;
}

/** An invoice at Stripe that was made for the statement of a month before the database was set back. */
export function forgotten(
  { status, total }: Pick<PaymentInvoice, 'status' | 'total'>,
  { number, total_cents: owed }: { number: string; total_cents: Cents },
): string {
  const what = `Stripe has an invoice over ${money(total)} (${status}) for the month of ${number}, made before this database was set back.`;
  if (status === 'draft' || (status === 'open' && total !== owed))
    return `${what} Collection replaces it by one over ${money(owed)}.`;
  const then = `${what} Collection takes it over, so that nothing is charged twice.`;
  return total === owed ? then : `${then} ${number} is over ${money(owed)}: settle the rest with the developer.`;
}

export const otherDeveloper = (developerId: string): string =>
  `Stripe’s invoice names another developer. Change developer_id in its metadata to ${developerId}.`;

/** What a statement bills, and what the rows behind it add up to. */
export interface Sums {
  total: Cents;
  lines: Cents;
  overage: Cents;
  ledger: Cents;
  refreshes: Cents;
  refreshed: Cents;
}

export function otherSums({ total, lines, overage, ledger, refreshes, refreshed }: Sums): string {
  const found = [
    lines === total ? [] : `Its lines add up to ${money(lines)} instead of ${money(total)}.`,
    ledger === overage ? [] : `The ledger has ${money(ledger)} of overage instead of ${money(overage)}.`,
    refreshed === refreshes ? [] : `There are ${money(refreshed)} of refreshes instead of ${money(refreshes)}.`,
  ].flat();
  return `${found.join(' ')} The developer owes what the invoice is over, ${money(total)}. Rows were changed past the server, or this is a bug: keep a backup and the log.`;
}
