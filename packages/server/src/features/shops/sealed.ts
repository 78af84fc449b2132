import { sql } from 'kysely';
import { hasLostSecret, OF_ALL_ACCOUNTS, type SealedColumn } from '#platform/secrets/sealed-column.ts';
import { tables } from './tables.ts';

export const SECRET_PURPOSE = 'shop-secret';
export const CREDENTIALS_PURPOSE = 'shop-credentials';

const LOST_SECRET = 'The secret is lost. Rotate it, and paste the new one into the shop.';
const LOST_CREDENTIALS = 'What opened the shop’s API is lost. Enter it again.';

export const sealedShopSecrets: SealedColumn = {
  table: 'shop_connections',
  column: 'secret',
  purpose: SECRET_PURPOSE,
  lossMeans: 'shops that are refused until their secret is rotated',
  async discard(handle, marks) {
    const discarded = await tables
      .in(handle)
      .updateTable('shop_connections')
      .set({ secret: null, state: sql`case when state = 'off' then state else 'attention' end`, trouble: LOST_SECRET })
      .where(hasLostSecret('secret', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return discarded.length;
  },
};

export const sealedPreviousShopSecrets: SealedColumn = {
  table: 'shop_connections',
  column: 'previous_secret',
  purpose: SECRET_PURPOSE,
  lossMeans: 'rotations of shop secrets whose overlap ended',
  async discard(handle, marks) {
    const discarded = await tables
      .in(handle)
      .updateTable('shop_connections')
      .set({ previous_secret: null, previous_until: null })
      .where(hasLostSecret('previous_secret', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return discarded.length;
  },
};

export const sealedShopFarewells: SealedColumn = {
  table: 'shop_farewells',
  column: 'credentials',
  purpose: CREDENTIALS_PURPOSE,
  lossMeans: 'shops that go on sending what they were asked for, though nothing here waits for it',
  async discard(handle, marks) {
    const discarded = await tables
      .in(handle)
      .deleteFrom('shop_farewells')
      .where(hasLostSecret('credentials', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return discarded.length;
  },
};

export const sealedShopCredentials: SealedColumn = {
  table: 'shop_connections',
  column: 'credentials',
  purpose: CREDENTIALS_PURPOSE,
  lossMeans: 'shops whose API has to be opened again',
  async discard(handle, marks) {
    const discarded = await tables
      .in(handle)
      .updateTable('shop_connections')
      .set({
        credentials: null,
        state: sql`case when state = 'off' then state else 'attention' end`,
        trouble: LOST_CREDENTIALS,
      })
      .where(hasLostSecret('credentials', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return discarded.length;
  },
};
