import type { SealedColumn } from '#platform/secrets/sealed-column.ts';

export const SECRET_PURPOSE = 'webhook-secret';
export const KEY_PURPOSE = 'webhook-key';

export const sealedWebhookSecrets: SealedColumn = {
  table: 'webhook_endpoints',
  column: 'secret',
  purpose: SECRET_PURPOSE,
  lossMeans: 'webhooks switched off until their secret is rotated',
  async discard(sql, marks, now) {
    const rows = await sql.query(
      `/* across tenants: the loss of a secret */ update webhook_endpoints
       set secret = '', enabled = false, disabled_reason = coalesce(disabled_reason, 'secret'), disabled_at = coalesce(disabled_at, $2)
       where length(secret) > 0 and substring(secret from 1 for 4) <> all($1::bytea[]) returning 1`,
      [marks, now],
    );
    return rows.length;
  },
};

export const sealedPreviousSecrets: SealedColumn = {
  table: 'webhook_endpoints',
  column: 'previous_secret',
  purpose: SECRET_PURPOSE,
  lossMeans: 'rotations of webhook secrets whose overlap ended',
  async discard(sql, marks) {
    const rows = await sql.query(
      `/* across tenants: the loss of a secret */ update webhook_endpoints set previous_secret = null, previous_until = null
       where previous_secret is not null and substring(previous_secret from 1 for 4) <> all($1::bytea[]) returning 1`,
      [marks],
    );
    return rows.length;
  },
};

export const sealedWebhookKeys: SealedColumn = {
  table: 'webhook_keys',
  column: 'private_key',
  purpose: KEY_PURPOSE,
  lossMeans: 'webhook signing keys replaced; receivers have to fetch the new public key',
  async discard(sql, marks, now) {
    const rows = await sql.query(
      `/* across tenants: the loss of a secret */ update webhook_keys set private_key = '', retired_at = coalesce(retired_at, $2)
       where length(private_key) > 0 and substring(private_key from 1 for 4) <> all($1::bytea[]) returning 1`,
      [marks, now],
    );
    return rows.length;
  },
};
