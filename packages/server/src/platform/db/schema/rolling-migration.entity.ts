import { defineEntity, p } from '@mikro-orm/core';

/** Migrations compatible with the previous release. Each adds its own row; see `schema-state.ts`. */
export const RollingMigration = defineEntity({
  name: 'RollingMigration',
  tableName: 'rolling_migrations',
  properties: {
    name: p.text().primary(),
  },
});
