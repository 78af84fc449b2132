import { listCustomersSort } from '@tonerow/sdk/values';
import { days, oneOf, or, page, type SearchOf, searched, text } from '#lib/navigation/search-params.ts';

// beside the screen and not in it: the route needs them before the screen is loaded
export const customerFilters = {
  search: searched,
  dateRange: days,
  /** The days in which a serial was redeemed. */
  redeemed: days,
  // the value of each filter is `a,b` for what is chosen, or `-a` for all but it
  status: text,
  product: text,
  reseller: text,
  country: text,
};
export type CustomerFilter = SearchOf<typeof customerFilters>;
export const customerSearch = {
  ...customerFilters,
  page,
  sort: or(oneOf(listCustomersSort), '-signup_date'),
};
