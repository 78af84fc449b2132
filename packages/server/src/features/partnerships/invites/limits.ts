import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Invitation emails that one account has sent. */
  invites: { points: 100, seconds: 24 * 60 * 60, shared: true },
  /** Looks at invitations by their links, per address of the network. */
  invite_preview: { points: 60, seconds: 10 * 60, shared: true },
  /** Invitation emails to one address, from all accounts together. */
  invite_address: { points: 10, seconds: 24 * 60 * 60, shared: true },
});
