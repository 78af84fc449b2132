import type { Tx } from '../../../platform/db/database.ts';
import { emailKey } from '../../../platform/email.ts';
import type { Redemptions } from '../../redemption/index.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { License } from './licensing.queries.ts';

/**
 * The first attach of a serial that nobody owns is its redemption. False when the same person was faster elsewhere.
 * @throws {LicenseRefusal} quota_blocked, revoked, email_mismatch; not_found when it was deleted meanwhile
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
  // somebody was faster: it goes on when that was the same person
  const [owner] = await tx.query<{ email_key: string | null; revoked: boolean }>(
    `select c.email_key, s.revoked_at is not null as revoked from serials s left join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
     where s.developer_id = $1 and s.id = $2`,
    [license.developer_id, license.serial_id],
  );
  if (!owner) throw new LicenseRefusal('not_found');
  // nobody was faster: the serial, its window or its product was closed in between
  if (owner.revoked || !owner.email_key) throw new LicenseRefusal('revoked');
  if (owner.email_key !== emailKey(email)) throw new LicenseRefusal('email_mismatch');
  return false;
}
