import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import type { PayoutStatus } from '../types.ts';
import { keys } from './keys.ts';

/** Whose screen it is. */
export type PayoutSide = 'developer' | 'reseller';

const pages = { initialPageParam: '', getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor };

/** The statements of either side, page by page, the newest month first. */
export const payoutsQuery = (side: PayoutSide, status: PayoutStatus | undefined) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: keys.payouts.list(side, status),
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(status ? { status } : {}), ...(pageParam ? { cursor: pageParam } : {}) };
      return side === 'reseller'
        ? api.listPayouts({ query }, { signal })
        : api.listDeveloperPayouts({ query }, { signal });
    },
    placeholderData: keepPreviousData,
  });

/** A statement, with its transactions page by page. */
export const payoutQuery = (side: PayoutSide, id: string) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: keys.payouts.one(side, id),
    queryFn: ({ pageParam, signal }) => {
      const call = { path: { id }, query: pageParam ? { cursor: pageParam } : {} };
      return side === 'reseller' ? api.getPayout(call, { signal }) : api.getDeveloperPayout(call, { signal });
    },
  });

export const balancesQuery = () =>
  queryOptions({ queryKey: keys.payouts.balances, queryFn: ({ signal }) => api.listBalances({}, { signal }) });
