import { useQuery } from '@tanstack/react-query';
import { ownDealRequestsQuery, pendingDealRequestsQuery } from '../../lib/queries/deals.ts';
import type { DealRequest, User } from '../../lib/types.ts';

/** What the bell shows about deals: a developer's requests to answer, or the answers that a reseller has not seen. */
export function useDealNotices({ is_reseller }: User): DealRequest[] {
  const own = useQuery({ ...ownDealRequestsQuery, enabled: is_reseller });
  const pending = useQuery({ ...pendingDealRequestsQuery, enabled: !is_reseller });
  if (!is_reseller) return pending.data?.rows ?? [];
  return (own.data?.rows ?? []).filter(({ seen, status }) => !seen && (status === 'accepted' || status === 'declined'));
}
