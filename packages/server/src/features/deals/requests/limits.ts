import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Requests for deals of one account. */
  deal_requests: { points: 100, seconds: 24 * 60 * 60, shared: true },
});
