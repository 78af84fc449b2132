import { RANGES } from '#define/common-options.ts';
import { text } from '#define/option-types.ts';
import { given } from '#input/given-values.ts';

/** Filters of customers, which combine. `-` before a value leaves it out. */
export const FILTER = {
  search: text('<text>', 'name, email or day'),
  range: text('<range>', 'signed up in: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { values: RANGES }),
  redeemed: text('<range>', 'own a serial that was redeemed in these days', { values: RANGES }),
  product: text('<ids>', 'ids of products with commas between them; "-" before one leaves it out'),
  reseller: text('<ids>', 'ids of resellers, or "none" for your own sales'),
  country: text('<codes>', 'countries such as DE, or "none"'),
  status: text('<states>', 'active, revoked (all of their serials), none (no serials)'),
};

interface Options {
  search: string | undefined;
  range: string | undefined;
  redeemed: string | undefined;
  product: string | undefined;
  reseller: string | undefined;
  country: string | undefined;
  status: string | undefined;
}

/** As the server takes it. */
export const customerFilter = ({ search, range, redeemed, product, reseller, country, status }: Options) =>
  given({ search, redeemed, product, reseller, country, status, dateRange: range });
