import type { RefusedRedemption } from '#features/redemption';
import type { ErrorCode } from '#platform/errors.ts';
import type { Refused, RefusedStatus } from './refusals.ts';

/** The status that plugins get for the same reason, by the redemption page's error code. */
const statuses: Partial<Record<ErrorCode, RefusedStatus>> = {
  serial_revoked: 'revoked',
  serial_expired: 'expired',
  serial_not_yet_valid: 'not_yet_valid',
  serial_already_redeemed: 'email_mismatch',
  product_is_draft: 'draft',
  quota_reached: 'quota_blocked',
};

/** A redemption among the refusals; null for what its developer can do nothing about. */
export function refusalOf({ code, developerId, serialId, productId }: RefusedRedemption): Refused | null {
  const status = statuses[code];
  if (!status) return null;
  return { developerId, action: 'redeem', status, serialId, productId, machineId: null, version: null };
}
