import { sql } from 'kysely';
import { hasLostSecret, type SealedColumn } from '#platform/secrets/sealed-column.ts';
import { tables } from './tables.ts';

export const sealedPluginKeys: SealedColumn = {
  table: 'plugin_keys',
  column: 'sealed',
  purpose: 'plugin-key',
  lossMeans: 'plugin keys that work but cannot be shown again',
  async discard(handle, marks) {
    const { rows } = await sql`update plugin_keys set sealed = ''
      where ${hasLostSecret('sealed', marks)} returning 1`.execute(tables.in(handle));
    return rows.length;
  },
};
