import type { LicenseStatus } from './types.ts';

/**
 * Statuses that a plugin gets while somebody answers in the browser or looks for a code. None of them refuses a
 * license.
 */
type Asking = 'pending' | 'slow_down' | 'denied' | 'code_expired' | 'code_required';

/** Everything but a yes, and what only the redemption page refuses. */
export type Refused =
  | Exclude<LicenseStatus, 'active' | 'deactivated' | 'trial' | 'code_sent' | 'seats' | Asking>
  | 'draft';

/** Sent before the license's owner is known, or not caused by a rule: these are never logged. */
type Unlisted = 'unauthorized' | 'not_found' | 'rate_limited' | 'server_error' | 'unavailable';
export type ListedStatus = Exclude<Refused, Unlisted>;

const order: Record<ListedStatus, true> = {
  seat_limit: true,
  quota_blocked: true,
  churn_limit: true,
  product_mismatch: true,
  revoked: true,
  expired: true,
  not_yet_valid: true,
  draft: true,
  email_required: true,
  email_mismatch: true,
  not_activated: true,
  leased: true,
  invalid_token: true,
  no_trial: true,
  trial_expired: true,
  invalid_request: true,
};

/** The reasons to filter by. Apart from their words, which only the screen needs. */
export const listedStatuses = Object.keys(order) as ListedStatus[];
