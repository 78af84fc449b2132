import { dates } from '#define/dates.ts';
import { text } from '#define/option-types.ts';
import { BY_PRODUCT, byReseller, productIds, resellerIds } from '#input/filter-ids.ts';
import { given } from '#input/given-values.ts';
import type { Context } from '#run/context.ts';

/** Filters of customers, which combine. `-` before a value leaves it out. */
export const FILTER = {
  search: text('<text>', 'name, email or day'),
  range: dates('signed up in: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD'),
  redeemed: dates('own a serial that was redeemed in these days'),
  ...BY_PRODUCT,
  ...byReseller('sales'),
  country: text('<codes>', 'countries such as DE, or "none"'),
  status: text('<states>', 'active, revoked (all of their serials), none (no serials)'),
};

interface Options {
  search: string | undefined;
  range: string | undefined;
  redeemed: string | undefined;
  product: string[];
  reseller: string | undefined;
  country: string | undefined;
  status: string | undefined;
}

/** As the server takes it. */
export async function customerFilter(context: Context, options: Options) {
  const { search, range, redeemed, product, reseller, country, status } = options;
  return given({
    search,
    redeemed,
    product: await productIds(context, product),
    reseller: await resellerIds(context, reseller),
    country,
    status,
    dateRange: range,
  });
}
