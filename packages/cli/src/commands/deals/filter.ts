import { listResellerProductsSort } from '@tonerow/sdk/values';
import { choice, text } from '#define/option-types.ts';

/** Options of the lists of products and deals. */
export const LISTED = {
  developer: text('<developer>', 'only this developer’s, by id or name'),
  search: text('<text>', 'product, developer or batch tag'),
  sort: choice('<order>', 'newest, by name, or most redemptions first', {
    values: listResellerProductsSort,
    fallback: 'recent',
  }),
};

/** Options that choose among the serials of a product. */
export const SERIALS = {
  deal: text('<id>', 'only serials of this deal, from "tonerow deals list"'),
  search: text('<text>', 'the beginning of a code, or a customer’s name or email address'),
};
