import type { Redemptions } from '#features/redemption';
import type { Tx } from '#platform/db/database.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { License } from './find-license.ts';

/**
 * The first activation of a serial without an owner redeems it. False when the same person redeemed it concurrently.
 * @throws {LicenseRefusal} quota_blocked, revoked, email_mismatch; not_found when it was deleted in the meantime
 */
export async function redeemFirst(
  redemptions: Redemptions,
  tx: Tx,
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
  const [owner] = await tx.query<{ email_key: string | null; revoked: boolean }>(
    `select c.email_key, s.revoked_at is not null as revoked from serials s left join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
     where s.developer_id = $1 and s.id = $2`,
    [license.developer_id, license.serial_id],
  );
  if (!owner) throw new LicenseRefusal('not_found');
  // it was not redeemed: the serial, its window or its product was closed in between
  if (owner.revoked || !owner.email_key) throw new LicenseRefusal('revoked');
  if (owner.email_key !== emailKey(email)) throw new LicenseRefusal('email_mismatch');
  return false;
}
