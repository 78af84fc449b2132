import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Each is a picture to decode. Registration, which takes one from anybody, is limited more tightly as it is. */
  images: { points: 240, seconds: 10 * 60, shared: false },
});
