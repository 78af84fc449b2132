import { percentOf } from '#platform/money.ts';
import type { PayoutState } from './payouts.schemas.ts';

/** Sums of sales at one rate. */
export interface RateSums {
  bps: number;
  redemptions: number;
  revenue_cents: number;
  commission_cents: number;
}

/** Days after the close. */
export const FIRST_REMINDER = 7;
/** Days after which silence confirms. */
export const SILENCE = 14;
/** Days after which an unpaid statement is brought to mind. */
export const UNPAID_REMINDER = 30;
/** Days between two reminders of an unpaid statement. */
export const REMIND_AGAIN = 30;

const DAY = 86_400_000;

/** The two words that screens know. */
export const badgeOf = (status: string): 'Complete' | 'Pending' => (status === 'paid' ? 'Complete' : 'Pending');

/**
 * The month's one rate, in percent; when it changed within the month, what was earned of the revenue, with two decimals.
 * @param fallback basis points, for a month without sales.
 */
export function commissionRateOf(rates: readonly RateSums[], fallback: number): number {
  const [first, second] = rates;
  if (!first) return fallback / 100;
  if (!second) return first.bps / 100;
  const revenue = rates.reduce((sum, rate) => sum + rate.revenue_cents, 0);
  const earned = rates.reduce((sum, rate) => sum + rate.commission_cents, 0);
  return revenue === 0 ? fallback / 100 : percentOf(earned, revenue);
}

interface Balance {
  due_cents: number;
  paid_cents: number;
  carried_cents: number;
}

/** The amount that is still to be paid; negative while a surplus waits to be brought forward. */
export const outstandingOf = ({ due_cents, paid_cents, carried_cents }: Balance) =>
  due_cents - paid_cents + carried_cents;

interface Standing extends Balance {
  status: PayoutState;
  closed_at: Date;
  confirmed_at: Date | null;
  disputed_at: Date | null;
  paid_at: Date | null;
  remind_at: Date | null;
}

/** The state of a statement after a payment, or after its counter-entry. */
export function afterPayment(
  paid: Standing,
  now: Date,
): { status: PayoutState; paidAt: Date | null; remindAt: Date | null } {
  if (outstandingOf(paid) <= 0) return { status: 'paid', paidAt: paid.paid_at ?? now, remindAt: null };
  if (paid.status !== 'paid') return { status: paid.status, paidAt: null, remindAt: paid.remind_at };
  // a payment was taken back: it has its earlier status again
  const status = paid.disputed_at ? 'disputed' : paid.confirmed_at ? 'confirmed' : 'pending';
  return {
    status,
    paidAt: null,
    remindAt: status === 'disputed' ? null : new Date(now.getTime() + REMIND_AGAIN * DAY),
  };
}

/** Why a statement whose time has come is brought to mind; null when it need not be. */
export function reminderOf(
  { status, closed_at, ...balance }: Standing,
  now: Date,
): 'unconfirmed' | 'confirmed_by_silence' | 'unpaid' | null {
  if (outstandingOf(balance) <= 0) return null;
  const days = (now.getTime() - closed_at.getTime()) / DAY;
  if (status === 'pending') return days < SILENCE ? 'unconfirmed' : 'confirmed_by_silence';
  return status === 'confirmed' ? 'unpaid' : null;
}
