import { queryOptions } from '@tanstack/react-query';
import { q } from '#lib/queries/operation.ts';
import type { PluginKey } from '#lib/types.ts';

export const keysQuery = queryOptions({
  ...q('listPluginKeys'),
  select: (page) => page.keys,
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
