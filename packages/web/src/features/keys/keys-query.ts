import { queryOptions } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { keys } from '#lib/queries/keys.ts';
import type { PluginKey } from '#lib/types.ts';

export const keysQuery = queryOptions({
  queryKey: keys.pluginKeys,
  queryFn: async ({ signal }) => (await api.listPluginKeys(undefined, { signal })).keys,
});

export const staleDays = 90;

/** Unused for this long, unless the key was created recently. */
export function isStale({ lastUsedAt, createdAt }: PluginKey): boolean {
  return Date.now() - new Date(lastUsedAt ?? createdAt).getTime() > staleDays * 86_400_000;
}

export type KeyState = 'active' | 'expiring' | 'inactive';

export function keyState({ isActive, is_expiring, expires_at }: PluginKey): KeyState {
  if (!isActive) return 'inactive';
  if (is_expiring) return 'expiring';
  return expires_at ? 'inactive' : 'active';
}
