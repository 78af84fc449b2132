import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Each call queries the DNS. */
  domains: { points: 30, seconds: 10 * 60, shared: true },
});
