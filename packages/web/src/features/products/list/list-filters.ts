import { listProductsSort } from '@tonerow/sdk/values';
import { oneOf, or, page, type SearchOf, searched, text } from '#lib/navigation/search-params.ts';

// beside the screen and not in it: the route needs them before the screen is loaded. What is chosen of each kind: `a,b`, or `-a`
// for all but it
export const productFilters = { search: searched, status: text, stock: text, files: text, price: text };
export type ProductFilter = SearchOf<typeof productFilters>;

export const productSearch = {
  ...productFilters,
  /** Without it, as in this browser the last time. */
  look: oneOf(['cards', 'table']),
  page,
  cursor: text,
  sort: or(oneOf(listProductsSort), '-created_at'),
};
