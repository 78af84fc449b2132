import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  version_emails: { points: 30, seconds: 60 * 60, shared: true },
});
