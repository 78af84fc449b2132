import type { Base } from '#platform/feature.ts';
import { pluginKeyRoutes } from './plugin-keys.routes.ts';
import { PluginKeys } from './plugin-keys.service.ts';
import { sealedPluginKeys } from './sealed.ts';
import { tables } from './tables.ts';

export type { PluginKeys } from './plugin-keys.service.ts';

export const pluginKeys = {
  entities: tables.entities,
  sealed: [sealedPluginKeys],

  create(platform: Base) {
    const base = { ...platform, db: tables.of(platform.db) };
    const pluginKeys = new PluginKeys(base);
    return { api: { pluginKeys }, routes: [pluginKeyRoutes(pluginKeys, base.clock)], close: () => pluginKeys.close() };
  },
};
