import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Each emails the account; trying one counts too. */
  plan_switches: { points: 60, seconds: 60 * 60, shared: true },
  /** Each can be used to try a card, and asks Stripe. */
  card_setups: { points: 10, seconds: 60 * 60, shared: true },
  /** Beginning to confirm a payment, and looking for its result, both ask Stripe. */
  confirmations: { points: 60, seconds: 60 * 60, shared: true },
  /** Reading and removing a card asks Stripe, for all accounts together 25 times a second. */
  cards: { points: 120, seconds: 60 * 10, shared: true },
  /** Bursts when a month is collected. */
  stripe_events: { points: 6000, seconds: 60, shared: false },
});
