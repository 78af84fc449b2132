import type { Redemptions } from '#features/redemption';
import { leftJoinOwn } from '#platform/db/tenant.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LicensingHandle } from '../tables.ts';
import type { License } from './find-license.ts';

/**
 * The first activation of a serial without an owner redeems it. False when the same person redeemed it concurrently.
 * @throws {LicenseRefusal} quota_blocked, revoked, email_mismatch; not_found when it was deleted in the meantime
 */
export async function redeemFirst(
  redemptions: Redemptions,
  tx: LicensingHandle,
  license: License,
  email: string,
  country: string | null,
): Promise<boolean> {
  const { outcome } = await redemptions.redeemSerial(tx, {
    serialId: license.serial_id,
    developerId: license.developer_id,
    email,
    source: 'activation',
    country,
  });
  if (outcome === 'quota_blocked') throw new LicenseRefusal('quota_blocked');
  if (outcome === 'redeemed') return true;
  // another request redeemed it first: continue if it was for the same person
  const owner = await tx
    .selectFrom('serials as s')
    .$call(leftJoinOwn('customers as c', 'c.id', 's.customer_id'))
    .select(['c.email_key', 's.revoked_at'])
    .where('s.developer_id', '=', license.developer_id)
    .where('s.id', '=', license.serial_id)
    .executeTakeFirst();
  if (!owner) throw new LicenseRefusal('not_found');
  // it was not redeemed: the serial, its window or its product was closed in between
  if (owner.revoked_at !== null || !owner.email_key) throw new LicenseRefusal('revoked');
  if (owner.email_key !== emailKey(email)) throw new LicenseRefusal('email_mismatch');
  return false;
}
