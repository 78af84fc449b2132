/** What was sold at one rate. */
export interface RateSums {
  bps: number;
  redemptions: number;
  revenue_cents: number;
  commission_cents: number;
}

/** Days after the close. */
export const FIRST_REMINDER = 7;

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
  return revenue === 0 ? fallback / 100 : Math.round((earned * 10_000) / revenue) / 100;
}

interface Balance {
  due_cents: number;
  paid_cents: number;
  carried_cents: number;
}

/** What is still to be paid; negative while a surplus waits to be brought forward. */
export const outstandingOf = ({ due_cents, paid_cents, carried_cents }: Balance) =>
  due_cents - paid_cents + carried_cents;
