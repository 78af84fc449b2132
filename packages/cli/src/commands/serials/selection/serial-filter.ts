import { dates } from '#define/dates.ts';
import { text } from '#define/option-types.ts';
import { BY_BATCH, BY_PRODUCT, batchIds, byReseller, productIds, resellerIds } from '#input/filter-ids.ts';
import { given } from '#input/given-values.ts';
import type { Context } from '#run/context.ts';

/** Filters of all serials, which combine. `-` before a value leaves it out. */
export const SERIAL_FILTER = {
  search: text('<code>', 'the code or the start of it'),
  range: dates('made in: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD'),
  ...BY_PRODUCT,
  products: text('<products>', 'the same as --product'),
  ...byReseller('stock'),
  ...BY_BATCH,
  status: text('<states>', 'available, handed_out, expired, redeemed, revoked'),
};
const { batch: _, status: __, search: ___, ...shared } = SERIAL_FILTER;
export const BATCH_FILTER = {
  search: text('<text>', 'product, tag, notes or reseller'),
  ...shared,
  status: text('<states>', 'open, used_up (none is left), expired'),
};

interface Options {
  search: string | undefined;
  range: string | undefined;
  product: string[];
  products: string | undefined;
  reseller: string | undefined;
  batch?: string | undefined;
  status: string | undefined;
}

/** As the server takes it. */
export async function serialFilter(context: Context, options: Options) {
  const { search, range, product, products, reseller, batch, status } = options;
  return given({
    search,
    product: await productIds(context, products === undefined ? product : [...product, products]),
    reseller: await resellerIds(context, reseller),
    batch: await batchIds(context, batch),
    status,
    dateRange: range,
  });
}
