import type { PluginKey } from '@tonerow/sdk';

export function stateOf(key: PluginKey): string {
  if (!key.isActive) return 'inactive';
  if (key.expires_at) return `${key.is_expiring ? 'until' : 'ended'} ${key.expires_at}`;
  return key.is_test ? 'active, test key' : 'active';
}
