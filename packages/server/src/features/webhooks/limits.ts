import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Endpoints made or changed by one account: each may be an address that somebody else has to bear. */
  webhook_changes: { points: 120, seconds: 60 * 60, shared: true },
  /** Events that one account sends by hand: tests, samples and repeats. */
  webhook_sends: { points: 120, seconds: 60, shared: true },
  /** Replays of one account, each of up to 10,000 deliveries. */
  webhook_replays: { points: 20, seconds: 60 * 60, shared: true },
});
