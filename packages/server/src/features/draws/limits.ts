import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** A shop draws from one address, in bursts when a deal begins. */
  draws: { points: 6000, seconds: 60, shared: false },
  /** The same, whatever number of addresses a reseller uses. */
  draws_account: { points: 6000, seconds: 60, shared: false },
  /** Emails of one sale by hand. */
  sale_email: { points: 5, seconds: 60 * 60, shared: true },
  /** Files of stock: each adds rows to the record of who took what. */
  stock_files: { points: 120, seconds: 60 * 60, shared: true },
});
