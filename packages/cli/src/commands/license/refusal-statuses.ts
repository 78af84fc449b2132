import type { InputOf } from '@tonerow/sdk';
import { everyOf } from '#define/option-types.ts';

type Status = NonNullable<NonNullable<InputOf<'listLicenseRefusals'>['query']>['status']>;

export const REFUSAL_STATUSES = everyOf<Status>({
  draft: 0,
  active: 0,
  deactivated: 0,
  trial: 0,
  invalid_request: 0,
  unauthorized: 0,
  revoked: 0,
  expired: 0,
  not_yet_valid: 0,
  email_mismatch: 0,
  quota_blocked: 0,
  invalid_token: 0,
  trial_expired: 0,
  not_found: 0,
  no_trial: 0,
  not_activated: 0,
  leased: 0,
  seat_limit: 0,
  churn_limit: 0,
  product_mismatch: 0,
  email_required: 0,
  rate_limited: 0,
  server_error: 0,
  unavailable: 0,
});
