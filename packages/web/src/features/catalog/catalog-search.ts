import { listResellerProductsSort } from '@tonerow/sdk/values';
import { id, oneOf, or, searched } from '#lib/navigation/search-params.ts';

/** The parameters that the lists of a catalog keep in their addresses. */
export const catalogSearch = {
  search: searched,
  sort: or(oneOf(listResellerProductsSort), 'recent'),
  developer: or(id, ''),
};
