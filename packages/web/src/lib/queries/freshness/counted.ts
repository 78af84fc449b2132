import type { Stale } from './operations.ts';

/** Whatever makes one of these stale also changes what the bell and the list of notifications count. */
const COUNTED: ReadonlySet<Stale> = new Set<Stale>([
  'listResellerInvites',
  'listDeveloperInvites',
  'listOwnDealRequests',
  'getSubscriptionStatus',
]);

/** The stale operations, and the count of notifications if one of them is counted there. */
export function withCount(stale: readonly Stale[]): readonly Stale[] {
  const counted = stale.some((each) => COUNTED.has(each));
  return counted && !stale.includes('listNotifications') ? [...stale, 'listNotifications'] : stale;
}
