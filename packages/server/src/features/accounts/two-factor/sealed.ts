import type { SealedColumn } from '#platform/secrets/sealed-column.ts';

export const sealedTwoFactorSecrets: SealedColumn = {
  table: 'users',
  column: 'two_factor_secret',
  purpose: 'two-factor',
  lossMeans: 'accounts without their second factor',
  async discard(sql, marks) {
    const rows = await sql.query(
      `update users set two_factor_secret = null, two_factor_since = null, two_factor_step = null
       where substring(two_factor_secret from 1 for 4) <> all($1::bytea[]) returning 1`,
      [marks],
    );
    return rows.length;
  },
};
