import type { SealedColumn } from '#platform/secrets/sealed-column.ts';

export const sealedSigningKeys: SealedColumn = {
  table: 'signing_keys',
  column: 'private_key',
  purpose: 'signing-key',
  lossMeans: 'signing keys replaced; tokens they signed stay valid until they end',
  async discard(sql, marks, now) {
    const rows = await sql.query(
      `/* across tenants: the loss of a secret */ update signing_keys set private_key = '', retired_at = coalesce(retired_at, $2)
       where length(private_key) > 0 and substring(private_key from 1 for 4) <> all($1::bytea[]) returning 1`,
      [marks, now],
    );
    return rows.length;
  },
};

export const sealedProductKeys: SealedColumn = {
  table: 'product_keys',
  column: 'private_key',
  purpose: 'product-key',
  lossMeans: 'RSA pairs for JUCE and HISE that have to be imported again',
  async discard(sql, marks) {
    const rows = await sql.query(
      `/* across tenants: the loss of a secret */ update product_keys set private_key = ''
       where length(private_key) > 0 and substring(private_key from 1 for 4) <> all($1::bytea[]) returning 1`,
      [marks],
    );
    return rows.length;
  },
};
