import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { keys } from './keys.ts';

/** The newest 100 requests that a reseller has made, refreshed by live events. */
export const ownDealRequestsQuery = queryOptions({
  queryKey: keys.dealRequests.own,
  queryFn: ({ signal }) => api.listOwnDealRequests(undefined, { signal }),
  staleTime: 60_000,
});

/** The newest 100 requests that wait for the developer's answer, refreshed by live events. */
export const pendingDealRequestsQuery = queryOptions({
  queryKey: keys.dealRequests.pending,
  queryFn: ({ signal }) => api.listDealRequests({ query: { status: 'pending' } }, { signal }),
  staleTime: 60_000,
});

/** One request that a reseller has made to the developer. */
export const dealRequestQuery = (id: string) =>
  queryOptions({
    queryKey: keys.dealRequests.one(id),
    queryFn: ({ signal }) => api.getDealRequest({ path: { id } }, { signal }),
  });
