import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** A first visit takes some fifty files, and a whole office may share an address. They must not use up the API's limit. */
  files: { points: 12_000, seconds: 60, shared: false },
  /** The terminal client: jobs of a CI service share its addresses. */
  client: { points: 300, seconds: 60, shared: false },
});
