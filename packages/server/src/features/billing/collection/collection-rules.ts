import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import type { Cents } from '#platform/money.ts';
import { monthName } from '#platform/paper/words.ts';
import type { PaymentInvoice } from '#platform/payments/payments.ts';
import { shortMonth } from '#platform/time/months.ts';
import type { PaidBy } from '../statements/statements.schemas.ts';

/** Statements at the same time: enough to use Stripe's budget, if an answer takes a third of a second. */
export const AT_ONCE = 10;
/** A run ends before its job expires; the next one goes on. */
export const LONGEST = 50 * MINUTE;

/** Days after each failed charge until the next one. */
const RETRY_DAYS = [3, 5, 7, 7];
const GIVE_UP = 30 * DAY;

/** What a failed charge leads to: another one later, or the end of trying. */
export function afterFailure(
  failures: number,
  firstFailedAt: Date,
  now: Date,
): { state: 'open' | 'failed'; next: Date } {
  const days = RETRY_DAYS[failures - 1];
  if (days !== undefined) return { state: 'open', next: new Date(now.getTime() + days * DAY) };
  return { state: 'failed', next: givenUpAt(firstFailedAt) };
}

/** How long a bank may take to ask, and its cardholder to answer. */
const ASKING = 15 * MINUTE;

/**
 * When charges are tried again after a bank asked for a confirmation. However often somebody begins to confirm, the
 * next charge is at most an hour later than it would have been.
 */
export function heldBackUntil(now: Date, failed: { attempts: number; first: Date; last: Date }): Date {
  const { next } = afterFailure(failed.attempts, failed.first, failed.last);
  return new Date(Math.min(now.getTime() + ASKING, next.getTime() + HOUR));
}

/** How a paid invoice was settled. An amount too small to charge is paid at once, and waits on the balance. */
export function paidBy({
  total,
  startingBalance,
  amountDue,
  amountPaid,
}: Pick<PaymentInvoice, 'total' | 'startingBalance' | 'amountDue' | 'amountPaid'>): PaidBy {
  if (amountPaid > 0) return 'card';
  if (amountDue > 0) return 'elsewhere';
  return total + startingBalance > 0 ? 'next_invoice' : 'balance';
}

const OF_CARDS = [
  'authentication_required',
  'expired_card',
  'invoice_payment_intent_requires_action',
  'payment_intent_authentication_failure',
];

/**
 * Whether the card is why Stripe refused a charge without declining it. Any other refusal is an error of ours or of the
 * settings: another card would not help.
 */
export const isAboutCard = (reason: string | null): boolean =>
  reason !== null && (OF_CARDS.includes(reason) || /^(card|payment_method)_/.test(reason));

/** When an unpaid statement is given up. */
export const givenUpAt = (firstFailedAt: Date): Date => new Date(firstFailedAt.getTime() + GIVE_UP);

/** An invoice's description. Invoices older than the month in their metadata have the month only here. */
export const describe = (month: string, number: string): string => `Tonerow ${monthName(month)} (UTC), ${number}`;

type Made = Pick<PaymentInvoice, 'statementId' | 'developerId' | 'month' | 'description'>;
interface Stated {
  id: string;
  developer_id: string;
  month: string;
}

/**
 * Whether an invoice is for a statement: it carries its id, or was made for the same developer and month when these had
 * another statement, which a database that was set back has forgotten.
 */
export function isFor(invoice: Made, { id, developer_id: developerId, month }: Stated): boolean {
  if (invoice.statementId === id) return true;
  if (invoice.statementId === null || invoice.developerId !== developerId) return false;
  if (invoice.month !== null) return invoice.month === shortMonth(month);
  return invoice.description?.startsWith(describe(month, '')) ?? false;
}

/**
 * Whether an invoice that is for a statement can be the one that collects it. What was made for a forgotten statement of the
 * month settles this one when it is paid, given up or canceled, or when it can be paid and is over the same sum.
 */
export function mayCollect(
  { statementId, status, total, isReplaced }: Pick<PaymentInvoice, 'statementId' | 'status' | 'total' | 'isReplaced'>,
  statement: { id: string; total_cents: Cents },
): boolean {
  if (status === 'paid' || statementId === statement.id) return true;
  if (isReplaced || status === 'draft') return false;
  return status !== 'open' || total === statement.total_cents;
}

/** The invoice that collects a statement, of those that carry its id: what was paid or can be, before a draft. */
export function theOne<Invoice extends { id: string; status: string }>(
  found: readonly Invoice[],
  stored: string | null,
): Invoice | undefined {
  const rank = ['paid', 'open', 'uncollectible', 'draft', 'void'];
  const worth = ({ id, status }: Invoice) => rank.indexOf(status) * 2 + (id === stored ? 0 : 1);
  return [...found].sort((a, b) => worth(a) - worth(b))[0];
}
