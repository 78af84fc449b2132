import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Archives that an account asks for: each reads all that it has. */
  archives: { points: 10, seconds: 24 * 60 * 60, shared: true },
});
