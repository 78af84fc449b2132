import { pages, q } from './operation.ts';

/** Whose screen it is. */
export type PayoutSide = 'developer' | 'reseller';

/** A statement, with its transactions page by page. */
export const payoutQuery = (side: PayoutSide, id: string) =>
  pages(side === 'reseller' ? 'getPayout' : 'getDeveloperPayout', { path: { id } });

export const balancesQuery = () => q('listBalances');
