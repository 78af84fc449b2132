import { dates } from '#define/dates.ts';
import { text } from '#define/option-types.ts';
import { BY_SHOP, shopIds } from '#input/filter-ids.ts';
import { given } from '#input/given-values.ts';
import type { Context } from '#run/context.ts';

/** Filters of orders, which combine. `-` before a value leaves it out. */
export const ORDER_FILTER = {
  ...BY_SHOP,
  state: text('<states>', 'seen, pending, paid, issued, attention, canceled, refunded, disputed'),
  range: dates('came in: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD'),
  serial: text('<id>', 'the order that the serial with this id was sold in'),
  search: text('<text>', 'the whole number of an order, or the whole email address of its customer'),
};

interface Options {
  shop: string | undefined;
  state: string | undefined;
  range: string | undefined;
  serial: string | undefined;
  search: string | undefined;
}

/** As the server takes it. */
export async function orderFilter(context: Context, { shop, state, range, serial, search }: Options) {
  return given({ shop: await shopIds(context, shop), state, serial, search, dateRange: range });
}
