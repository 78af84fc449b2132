import { RANGES } from '#define/common-options.ts';
import { text } from '#define/option-types.ts';
import { given } from '#input/given-values.ts';

/** Filters of all serials, which combine. `-` before a value leaves it out. */
export const SERIAL_FILTER = {
  search: text('<code>', 'the code or the start of it'),
  range: text('<range>', 'made in: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { values: RANGES }),
  products: text('<ids>', 'ids of products with commas between them; "-" before one leaves it out'),
  reseller: text('<ids>', 'ids of resellers, or "none" for your own stock'),
  batch: text('<ids>', 'ids of batches'),
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
  products: string | undefined;
  reseller: string | undefined;
  batch?: string | undefined;
  status: string | undefined;
}

/** As the server takes it. */
export const serialFilter = ({ search, range, products, reseller, batch, status }: Options) =>
  given({ search, product: products, reseller, batch, status, dateRange: range });
