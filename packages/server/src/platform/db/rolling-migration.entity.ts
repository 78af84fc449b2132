import { defineEntity, p } from '@mikro-orm/core';

/** Migrations that the release before can live with. Each adds its own row; see `schema-state.ts`. */
export const RollingMigration = defineEntity({
  name: 'RollingMigration',
  tableName: 'rolling_migrations',
  properties: {
    name: p.text().primary(),
  },
});
