import type { Stale } from './operations.ts';

/** Whatever makes one of these stale also changes what the bell and the list of notifications count. */
const COUNTED: ReadonlySet<Stale> = new Set<Stale>([
  'listResellerInvites',
  'listDeveloperInvites',
  'listOwnDealRequests',
  'getSubscriptionStatus',
]);

/** What is stale, and with what is counted the count itself. */
export function withCount(stale: readonly Stale[]): readonly Stale[] {
  const counted = stale.some((each) => COUNTED.has(each));
  return counted && !stale.includes('listNotifications') ? [...stale, 'listNotifications'] : stale;
}
