import { useQuery } from '@tanstack/react-query';
import { subscriptionStatusQuery } from '#lib/queries/billing.ts';
import type { User } from '#lib/types.ts';
import { useDeals } from './use-deals.ts';
import { useInvites } from './use-invites.ts';

export type PendingOf = ReturnType<typeof usePending>;

/** What waits for an account, each until it is done: invitations, deals, and a payment that went wrong. */
export function usePending(user: User) {
  const invites = useInvites(user);
  const deals = useDeals(user);
  const billing = useQuery({ ...subscriptionStatusQuery, enabled: !user.is_reseller });
  return { invites, deals, billing: billing.data, reseller: user.is_reseller };
}
