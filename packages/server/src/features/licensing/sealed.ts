import { sql } from 'kysely';
import { hasLostSecret, OF_ALL_ACCOUNTS, type SealedColumn } from '#platform/secrets/sealed-column.ts';
import { tables } from './tables.ts';

export const sealedSigningKeys: SealedColumn = {
  table: 'signing_keys',
  column: 'private_key',
  purpose: 'signing-key',
  lossMeans: 'signing keys replaced; tokens they signed stay valid until they end',
  async discard(handle, marks, now) {
    const rows = await tables
      .in(handle)
      .updateTable('signing_keys')
      .set({ private_key: Buffer.alloc(0), retired_at: sql<Date>`coalesce(retired_at, ${now})` })
      .where(hasLostSecret('private_key', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return rows.length;
  },
};

export const sealedExpansionSecrets: SealedColumn = {
  table: 'expansion_secrets',
  column: 'secret',
  purpose: 'expansion-secret',
  lossMeans: 'secrets of HISE expansions that are made anew; customers install their expansions again',
  async discard(handle, marks) {
    const rows = await tables
      .in(handle)
      .deleteFrom('expansion_secrets')
      .where(hasLostSecret('secret', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return rows.length;
  },
};

export const sealedProductKeys: SealedColumn = {
  table: 'product_keys',
  column: 'private_key',
  purpose: 'product-key',
  lossMeans: 'RSA pairs for JUCE and HISE that have to be imported again',
  async discard(handle, marks) {
    const rows = await tables
      .in(handle)
      .updateTable('product_keys')
      .set({ private_key: Buffer.alloc(0) })
      .where(hasLostSecret('private_key', marks))
      .returning('id')
      .modifyEnd(OF_ALL_ACCOUNTS)
      .execute();
    return rows.length;
  },
};
