import { useQuery } from '@tanstack/react-query';
import { subscriptionStatusQuery } from '#lib/queries/billing.ts';
import type { Account } from '#lib/types.ts';
import type { PendingOf } from '#ui/pending/pending.tsx';
import { useDeals } from './use-deals.ts';
import { useInvites } from './use-invites.ts';

/** Everything that waits for an account until it is done: invitations, deals, and a payment that went wrong. */
export function usePending(account: Account): PendingOf {
  const invites = useInvites(account);
  const deals = useDeals(account);
  const billing = useQuery({ ...subscriptionStatusQuery, enabled: !account.is_reseller });
  return { invites, deals, billing: billing.data, reseller: account.is_reseller };
}
