import { dates } from '#define/dates.ts';
import { text } from '#define/option-types.ts';
import { given } from '#input/given-values.ts';

/** Filters of orders, which combine. `-` before a value leaves it out. */
export const ORDER_FILTER = {
  shop: text('<ids>', 'ids of shops with commas between them; "-" before one leaves it out'),
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
export const orderFilter = ({ shop, state, range, serial, search }: Options) =>
  given({ shop, state, serial, search, dateRange: range });
