import { dates } from '#define/dates.ts';
import { text } from '#define/option-types.ts';
import { BY_BATCH, BY_PRODUCT, batchIds, byReseller, customerIds, productIds, resellerIds } from '#input/filter-ids.ts';
import { given } from '#input/given-values.ts';
import type { Context } from '#run/context.ts';

/** Filters of redeemed serials, which combine. `-` before a value leaves it out. */
export const REDEEMED_FILTER = {
  search: text('<text>', 'name, email, serial, product or day'),
  range: dates('all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD'),
  ...BY_PRODUCT,
  ...byReseller('sales'),
  ...BY_BATCH,
  customer: text('<customers>', 'ids or email addresses of customers who own them'),
  country: text('<codes>', 'countries such as DE, or "none"'),
  status: text('<states>', 'active, download_limit, seats_taken, revoked'),
};

interface Options {
  search: string | undefined;
  range: string | undefined;
  product: string[];
  reseller: string | undefined;
  batch: string | undefined;
  customer: string | undefined;
  country: string | undefined;
  status: string | undefined;
}

/** As the server takes it. */
export async function redeemedFilter(context: Context, options: Options) {
  const { search, range, product, reseller, batch, customer, country, status } = options;
  return given({
    search,
    product: await productIds(context, product),
    reseller: await resellerIds(context, reseller),
    batch: await batchIds(context, batch),
    customer: await customerIds(context, customer),
    country,
    status,
    dateRange: range,
  });
}
