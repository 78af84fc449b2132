import { queryOptions } from '@tanstack/react-query';
import { pages, q } from './operation.ts';

/** The newest 100 answers that a reseller has not taken note of, and how many there are. Refreshed by live events. */
export const dealAnswersQuery = queryOptions({
  ...q('listOwnDealRequests', { query: { unseen: true } }),
  staleTime: 60_000,
});

/** The newest 100 requests that wait for the developer's answer, and how many there are. Refreshed by live events. */
export const pendingDealRequestsQuery = queryOptions({
  ...q('listDealRequests', { query: { status: 'pending' } }),
  staleTime: 60_000,
});

/** All requests that a reseller has made, the newest first, page by page. */
export const ownDealRequestsQuery = pages('listOwnDealRequests');

/** All requests that wait for the developer's answer, the newest first, page by page. */
export const pendingDealRequestPagesQuery = pages('listDealRequests', { query: { status: 'pending' } });

/** One request that a reseller has made to the developer. */
export const dealRequestQuery = (id: string) => q('getDealRequest', { path: { id } });
