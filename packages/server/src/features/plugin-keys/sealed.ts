import type { SealedColumn } from '#platform/secrets/sealed-column.ts';

export const sealedPluginKeys: SealedColumn = {
  table: 'plugin_keys',
  column: 'sealed',
  purpose: 'plugin-key',
  lossMeans: 'plugin keys that work but cannot be shown again',
  async discard(sql, marks) {
    const rows = await sql.query(
      `update plugin_keys set sealed = ''
       where length(sealed) > 0 and substring(sealed from 1 for 4) <> all($1::bytea[]) returning 1`,
      [marks],
    );
    return rows.length;
  },
};
