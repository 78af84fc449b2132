import { sql } from 'kysely';
import { hasLostSecret, type SealedColumn } from '#platform/secrets/sealed-column.ts';
import { tables } from '../tables.ts';

export const sealedTwoFactorSecrets: SealedColumn = {
  table: 'users',
  column: 'two_factor_secret',
  purpose: 'two-factor',
  lossMeans: 'accounts without their second factor',
  async discard(handle, marks) {
    const { rows } =
      await sql`update users set two_factor_secret = null, two_factor_since = null, two_factor_step = null
      where ${hasLostSecret('two_factor_secret', marks)} returning 1`.execute(tables.in(handle));
    return rows.length;
  },
};
