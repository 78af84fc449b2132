import type { QueryKey } from '@tanstack/react-query';
import { keys } from './keys.ts';

/** Whatever makes one of these stale also changes what the bell and the list of notifications count. */
const COUNTED: readonly QueryKey[] = [keys.invites.received, keys.dealRequests.answers, keys.billing.status];

const holds = (key: QueryKey, other: QueryKey) => key.every((part, index) => part === other[index]);

/** The keys that are stale, and with what is counted the count itself. */
export function withCount(stale: readonly QueryKey[]): readonly QueryKey[] {
  const counted = stale.some((key) => COUNTED.some((other) => holds(key, other)));
  const refreshed = stale.some((key) => holds(key, keys.notifications.recent));
  return counted && !refreshed ? [...stale, keys.notifications.all] : stale;
}
