import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  redeem: { points: 60, seconds: 10 * 60, shared: true },
  redeem_account: { points: 30, seconds: 10 * 60, shared: true },
  resend_email: { points: 5, seconds: 60 * 60, shared: true },
  transfer: { points: 5, seconds: 60 * 60, shared: true },
  help: { points: 20, seconds: 60 * 60, shared: true },
  help_serial: { points: 3, seconds: 24 * 60 * 60, shared: true },
  help_developer: { points: 30, seconds: 60 * 60, shared: true },
  my_products: { points: 20, seconds: 60 * 60, shared: true },
  /** As long as a link works: who is refused has one that does. */
  my_products_account: { points: 5, seconds: 30 * 60, shared: true },
});
