import { listProductsSort } from '@tonerow/sdk/values';
import { oneOf, or, page, type SearchOf, searched, text } from '#lib/navigation/search-params.ts';

// the route needs the filters before the screen is loaded, so they are in a file beside it; the value of each filter is
// `a,b` for what is chosen, or `-a` for all but it
export const productFilters = { search: searched, status: text, stock: text, files: text, price: text };
export type ProductFilter = SearchOf<typeof productFilters>;

export const productSearch = {
  ...productFilters,
  /** Without it, the look that this browser used the last time. */
  look: oneOf(['cards', 'table']),
  page,
  cursor: text,
  sort: or(oneOf(listProductsSort), '-created_at'),
};
