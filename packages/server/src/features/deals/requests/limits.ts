import { rateLimitPolicies } from '../../../platform/http/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Requests for deals of one account. */
  deal_requests: { points: 100, seconds: 24 * 60 * 60, shared: true },
  /** Emails about deals to one account, of one partnership: no partner takes them from another. */
  deal_emails: { points: 30, seconds: 24 * 60 * 60, shared: true },
});
