import type { Sql } from '#platform/db/database.ts';
import { joinShared } from '#platform/db/tenant.ts';
import { tables } from './tables.ts';

/** Where a developer’s customers redeem. */
export type RedeemUrl = (handle: Sql, developerId: string) => Promise<string>;

const verifiedHost = tables.named('verified_host', (begin, developerId: string) =>
  begin
    .selectFrom('custom_domains as d')
    .$call(joinShared('users as u', 'u.id', 'd.developer_id'))
    .select('d.host')
    .where('d.developer_id', '=', developerId)
    .where('d.verified_at', 'is not', null)
    .where('u.deleted_at', 'is', null),
);

/** The developer's own domain once it is verified, and our page with the developer's id until then. */
export function redeemUrlOn(publicUrl: string): RedeemUrl {
  return async (handle, developerId) => {
    const [own] = await verifiedHost(handle, developerId);
    return own ? `https://${own.host}/redeem` : `${publicUrl}/redeem?dev=${developerId}`;
  };
}
