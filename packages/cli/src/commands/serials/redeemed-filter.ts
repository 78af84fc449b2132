import { RANGES } from '#define/common-options.ts';
import { text } from '#define/option-types.ts';
import { given } from '#input/given-values.ts';

/** Filters of redeemed serials, which combine. `-` before a value leaves it out. */
export const REDEEMED_FILTER = {
  search: text('<text>', 'name, email, serial, product or day'),
  range: text('<range>', 'all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { values: RANGES }),
  product: text('<ids>', 'ids of products with commas between them; "-" before one leaves it out'),
  reseller: text('<ids>', 'ids of resellers, or "none" for your own sales'),
  batch: text('<ids>', 'ids of batches'),
  customer: text('<ids>', 'ids of customers who own them'),
  country: text('<codes>', 'countries such as DE, or "none"'),
  status: text('<states>', 'active, download_limit, seats_taken, revoked'),
};

interface Options {
  search: string | undefined;
  range: string | undefined;
  product: string | undefined;
  reseller: string | undefined;
  batch: string | undefined;
  customer: string | undefined;
  country: string | undefined;
  status: string | undefined;
}

/** As the server takes it. */
export const redeemedFilter = (options: Options) => {
  const { search, range, product, reseller, batch, customer, country, status } = options;
  return given({ search, product, reseller, batch, customer, country, status, dateRange: range });
};
