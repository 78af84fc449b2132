import type { InputOf } from '@tonerow/sdk';
import { choice, everyOf, text } from '#define/option-types.ts';

type Sort = NonNullable<NonNullable<InputOf<'listResellerProducts'>['query']>['sort']>;

/** Options of the lists of products and deals. */
export const LISTED = {
  developer: text('<id>', 'only this developer’s'),
  search: text('<text>', 'product, developer or batch tag'),
  sort: choice('<order>', 'newest, by name, or most redemptions first', {
    values: everyOf<Sort>({ recent: 0, alphabetical: 0, popular: 0 }),
    fallback: 'recent',
  }),
};

/** Options that choose among the serials of a product. */
export const SERIALS = {
  deal: text('<id>', 'only serials of this deal, from "tonerow deals list"'),
  search: text('<text>', 'the beginning of a code, or a customer’s name or email address'),
};
