import type { RedeemUrl } from './emails.service.ts';

/** The developer's own domain once it is verified, and our page with the developer's id until then. */
export function redeemUrlOn(publicUrl: string): RedeemUrl {
  return async (sql, developerId) => {
    const [own] = await sql.query<{ host: string }>(
      `select d.host from custom_domains d join users u on u.id = d.developer_id
       where d.developer_id = $1 and d.verified_at is not null and u.deleted_at is null`,
      [developerId],
    );
    return own ? `https://${own.host}/redeem` : `${publicUrl}/redeem?dev=${developerId}`;
  };
}
