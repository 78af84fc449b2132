import type { Base } from '#platform/feature.ts';
import { PluginKey, PluginKeyDay, PluginKeyReveal } from './plugin-keys.entity.ts';
import { pluginKeyRoutes } from './plugin-keys.routes.ts';
import { PluginKeys } from './plugin-keys.service.ts';
import { sealedPluginKeys } from './sealed.ts';

export type { PluginKeys } from './plugin-keys.service.ts';

export const pluginKeys = {
  entities: [PluginKey, PluginKeyReveal, PluginKeyDay],
  sealed: [sealedPluginKeys],

  create(base: Base) {
    const pluginKeys = new PluginKeys(base);
    return { api: { pluginKeys }, routes: [pluginKeyRoutes(pluginKeys, base.clock)], close: () => pluginKeys.close() };
  },
};
