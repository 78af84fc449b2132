import { useQuery } from '@tanstack/react-query';
import { dealAnswersQuery, pendingDealRequestsQuery } from '#lib/queries/deals.ts';
import type { Account, DealRequest } from '#lib/types.ts';

/**
 * The pending deals: a developer's requests to answer, or the answers that a reseller has not seen. Returns the newest
 * of them and how many there are.
 */
export function useDeals({ is_reseller }: Account): { deals: DealRequest[]; total: number } {
  const answers = useQuery({ ...dealAnswersQuery, enabled: is_reseller });
  const pending = useQuery({ ...pendingDealRequestsQuery, enabled: !is_reseller });
  const { data } = is_reseller ? answers : pending;
  return { deals: data?.rows ?? [], total: data?.total ?? 0 };
}
