import { days, oneOf, or, page, type SearchOf, searched, text } from '#lib/navigation/search-params.ts';

// beside the screens and not in them: the route needs them before a screen is loaded
export const buyerFilters = { search: searched, dateRange: days };
export type BuyerFilter = SearchOf<typeof buyerFilters>;

export const transactionFilters = {
  ...buyerFilters,
  // the value of each filter is `a,b` for what is chosen, or `-a` for all but it
  product: text,
  developer: text,
  kind: text,
};
export type TransactionFilter = SearchOf<typeof transactionFilters>;

export const salesTab = or(oneOf(['transactions', 'payouts']), 'customers');
export type SalesTab = ReturnType<typeof salesTab>;

export const salesSearch = { tab: salesTab, ...transactionFilters, page };
