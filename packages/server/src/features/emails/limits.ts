import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  test_email: { points: 10, seconds: 60 * 60, shared: true },
});
