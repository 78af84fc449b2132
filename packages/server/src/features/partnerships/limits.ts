import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Messages of one developer to all their resellers. */
  partner_messages: { points: 50, seconds: 24 * 60 * 60, shared: true },
  /** Messages to one reseller. */
  partner_message: { points: 5, seconds: 24 * 60 * 60, shared: true },
});
