import type { Sql } from '#platform/db/database.ts';
import { joinShared } from '#platform/db/tenant.ts';
import { tables } from '../tables.ts';

const wanting = tables.named('wanting_reseller', (begin, developerId: string, partnershipId: string) =>
  begin
    .selectFrom('partnerships as p')
    .$call(joinShared('users as u', 'u.id', 'p.reseller_id'))
    .select(['u.id', 'u.email'])
    .where('p.developer_id', '=', developerId)
    .where('p.id', '=', partnershipId)
    .where('u.deleted_at', 'is', null)
    .where('u.notify_redemptions', 'is', true)
    .where('u.redemption_emails', '=', 'each'),
);

/** The reseller of a partnership, if they want an email per redemption. */
export async function findWantingReseller(
  handle: Sql,
  developerId: string,
  partnershipId: string,
): Promise<{ id: string; email: string } | undefined> {
  const [reseller] = await wanting(handle, developerId, partnershipId);
  return reseller;
}
