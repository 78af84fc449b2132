import { queryOf } from '#lib/lists/list-filter.ts';
import { LinkButton } from '#ui/button.tsx';
import type { BuyerFilter } from './list-filters.ts';

/** Why a reseller’s list is empty. */
export const noSales = {
  none: 'They appear here as soon as somebody redeems a serial that you were given. A serial that was sold counts when it is redeemed.',
  action: <LinkButton to="/reseller/products">See what you can sell</LinkButton>,
  filtered({ search, dateRange, ...chosen }: BuyerFilter) {
    if (Object.keys(queryOf(chosen)).length > 0) return 'Nothing matches all of these filters. Try fewer.';
    return search
      ? `Nothing matches “${search}”${dateRange === 'all' ? '' : ' on these days'}. Try a shorter search.`
      : 'There are none on these days. Try a longer period.';
  },
};
