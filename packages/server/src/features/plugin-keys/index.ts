export { PluginKey, PluginKeyReveal } from './plugin-keys.entity.ts';
export { pluginKeyRoutes } from './plugin-keys.routes.ts';
export { PluginKeys } from './plugin-keys.service.ts';
