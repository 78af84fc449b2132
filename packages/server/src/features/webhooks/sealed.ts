import { sql } from 'kysely';
import { hasLostSecret, OF_ALL_ACCOUNTS, type SealedColumn } from '#platform/secrets/sealed-column.ts';
import { tables } from './tables.ts';

export const SECRET_PURPOSE = 'webhook-secret';
export const KEY_PURPOSE = 'webhook-key';

const EMPTY = Buffer.alloc(0);

export const sealedWebhookSecrets: SealedColumn = {
  table: 'webhook_endpoints',
  column: 'secret',
  purpose: SECRET_PURPOSE,
  lossMeans: 'webhooks switched off until their secret is rotated',
  async discard(handle, marks, now) {
    const discarded = await tables
      .in(handle)
      .updateTable('webhook_endpoints')
      .set({
        secret: EMPTY,
        enabled: false,
        disabled_reason: sql`coalesce(disabled_reason, 'secret')`,
        disabled_at: sql`coalesce(disabled_at, ${now})`,
      })
      .where(hasLostSecret('secret', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return discarded.length;
  },
};

export const sealedPreviousSecrets: SealedColumn = {
  table: 'webhook_endpoints',
  column: 'previous_secret',
  purpose: SECRET_PURPOSE,
  lossMeans: 'rotations of webhook secrets whose overlap ended',
  async discard(handle, marks) {
    const discarded = await tables
      .in(handle)
      .updateTable('webhook_endpoints')
      .set({ previous_secret: null, previous_until: null })
      .where(hasLostSecret('previous_secret', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return discarded.length;
  },
};

export const sealedWebhookKeys: SealedColumn = {
  table: 'webhook_keys',
  column: 'private_key',
  purpose: KEY_PURPOSE,
  lossMeans: 'webhook signing keys replaced; receivers have to fetch the new public key',
  async discard(handle, marks, now) {
    const discarded = await tables
      .in(handle)
      .updateTable('webhook_keys')
      .set({ private_key: EMPTY, retired_at: sql`coalesce(retired_at, ${now})` })
      .where(hasLostSecret('private_key', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return discarded.length;
  },
};
