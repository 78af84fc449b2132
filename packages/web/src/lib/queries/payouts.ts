import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { PayoutStatus } from '../types.ts';
import { pages, q } from './operation.ts';

/** Whose screen it is. */
export type PayoutSide = 'developer' | 'reseller';

/** The statements of either side, page by page, the newest month first. */
export const payoutsQuery = (side: PayoutSide, status: PayoutStatus | undefined) =>
  infiniteQueryOptions({
    ...pages(side === 'reseller' ? 'listPayouts' : 'listDeveloperPayouts', {
      query: { limit: 50, ...(status ? { status } : {}) },
    }),
    placeholderData: keepPreviousData,
  });

/** A statement, with its transactions page by page. */
export const payoutQuery = (side: PayoutSide, id: string) =>
  pages(side === 'reseller' ? 'getPayout' : 'getDeveloperPayout', { path: { id } });

export const balancesQuery = () => q('listBalances');
