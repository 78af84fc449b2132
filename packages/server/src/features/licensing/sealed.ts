import { sql } from 'kysely';
import { acrossTenants } from '#platform/db/tenant.ts';
import type { SealedColumn } from '#platform/secrets/sealed-column.ts';
import { tables } from './tables.ts';

/** Text that none of the remaining secrets sealed. */
const isLost = (marks: Buffer[]) =>
  sql<boolean>`length(private_key) > 0 and substring(private_key from 1 for 4) <> all(${marks}::bytea[])`;

const LOSS = acrossTenants('the loss of a secret');

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
      .where(isLost(marks))
      .returning('id')
      .modifyEnd(LOSS)
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
      .where(isLost(marks))
      .returning('id')
      .modifyEnd(LOSS)
      .execute();
    return rows.length;
  },
};
