import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { byCursor, cursorOf } from './header-page.ts';
import { keys } from './keys.ts';

/** The newest 100 answers that a reseller has not taken note of, and how many there are. Refreshed by live events. */
export const dealAnswersQuery = queryOptions({
  queryKey: keys.dealRequests.answers,
  queryFn: ({ signal }) => api.listOwnDealRequests({ query: { unseen: true } }, { signal }),
  staleTime: 60_000,
});

/** The newest 100 requests that wait for the developer's answer, and how many there are. Refreshed by live events. */
export const pendingDealRequestsQuery = queryOptions({
  queryKey: keys.dealRequests.pending,
  queryFn: ({ signal }) => api.listDealRequests({ query: { status: 'pending' } }, { signal }),
  staleTime: 60_000,
});

/** All requests that a reseller has made, the newest first, page by page. */
export const ownDealRequestsQuery = infiniteQueryOptions({
  ...byCursor,
  queryKey: keys.dealRequests.own,
  queryFn: ({ pageParam, signal }) => api.listOwnDealRequests({ query: cursorOf(pageParam) }, { signal }),
});

/** All requests that wait for the developer's answer, the newest first, page by page. */
export const pendingDealRequestPagesQuery = infiniteQueryOptions({
  ...byCursor,
  queryKey: keys.dealRequests.pendingPages,
  queryFn: ({ pageParam, signal }) =>
    api.listDealRequests({ query: { status: 'pending', ...cursorOf(pageParam) } }, { signal }),
});

/** One request that a reseller has made to the developer. */
export const dealRequestQuery = (id: string) =>
  queryOptions({
    queryKey: keys.dealRequests.one(id),
    queryFn: ({ signal }) => api.getDealRequest({ path: { id } }, { signal }),
  });
