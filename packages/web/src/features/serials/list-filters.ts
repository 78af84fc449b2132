import { listBatchesSort, listRedeemedSerialsSort } from '@tonerow/sdk/values';
import { days, oneOf, or, page, type SearchOf, searched, text } from '#lib/navigation/search-params.ts';

// The routes need the filters before a screen is loaded, so they are in a file beside the screens. The value of each
// filter is `a,b` for what is chosen, or `-a` for all but it.
const stock = { search: searched, dateRange: days, status: text, product: text, reseller: text };

export const redeemedFilters = { ...stock, batch: text, country: text, customer: text };
export type RedeemedFilter = SearchOf<typeof redeemedFilters>;
export const redeemedSearch = {
  ...redeemedFilters,
  page,
  sort: or(oneOf(listRedeemedSerialsSort), '-redeemed_at'),
};

export const availableFilters = { ...stock, batch: text };
export type AvailableFilter = SearchOf<typeof availableFilters>;
export const availableSearch = {
  ...availableFilters,
  /** One list, or groups by product and promo. */
  view: or(oneOf(['list']), 'groups'),
  page,
  cursor: text,
};

export const batchFilters = stock;
export type BatchFilter = SearchOf<typeof batchFilters>;
export const batchSearch = {
  ...batchFilters,
  page,
  cursor: text,
  sort: or(oneOf(listBatchesSort), '-created_at'),
};

export type RedeemedSearch = SearchOf<typeof redeemedSearch>;
export type AvailableSearch = SearchOf<typeof availableSearch>;
