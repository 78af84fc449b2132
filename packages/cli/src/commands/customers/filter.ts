import { RANGES } from '../../common-options.ts';
import { text } from '../../option-types.ts';

/** Filters of customers, which combine. `-` before a value leaves it out. */
export const FILTER = {
  search: text('<text>', 'name, email or day'),
  range: text('<range>', 'signed up in: all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', {
    values: RANGES,
    fallback: 'all',
  }),
  redeemed: text('<range>', 'own a serial that was redeemed in these days', { values: RANGES, fallback: 'all' }),
  product: text('<ids>', 'ids of products with commas between them; "-" before one leaves it out'),
  reseller: text('<ids>', 'ids of resellers, or "none" for your own sales'),
  country: text('<codes>', 'countries such as DE, or "none"'),
  status: text('<states>', 'active, revoked (all of their serials), none (no serials)'),
};

interface Options {
  search: string | undefined;
  range: string;
  redeemed: string;
  product: string | undefined;
  reseller: string | undefined;
  country: string | undefined;
  status: string | undefined;
}

/** As the server takes it. */
export function customerFilter({ search, range, redeemed, product, reseller, country, status }: Options) {
  const given = { search, product, reseller, country, status };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(set) as Partial<Record<keyof typeof given, string>>), dateRange: range, redeemed };
}
