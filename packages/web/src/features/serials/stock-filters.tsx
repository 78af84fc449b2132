import { api } from '#lib/api.ts';
import { q } from '#lib/queries/operation.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import { ChoiceFilters, kindOf } from '#widgets/lists/choice-filters.tsx';
import { type StockFilter, stockQuery } from './stock-filter.ts';

const product = kindOf.named('product', 'Product', 'None');
const reseller = kindOf.named('reseller', 'Reseller', 'Your own stock');
export const serialKinds = [
  kindOf.words('status', 'Status', {
    available: 'Available',
    handed_out: 'Handed out',
    expired: 'Expired',
    redeemed: 'Redeemed',
    revoked: 'Revoked',
  }),
  product,
  reseller,
  kindOf.named('batch', 'Batch', 'No tag'),
] as const;
export const batchKinds = [
  kindOf.words('status', 'Status', { open: 'Serials left', used_up: 'Used up', expired: 'Expired' }),
  product,
  reseller,
] as const;

interface StockFiltersProps {
  filter: StockFilter;
  onFilter: (filter: StockFilter) => void;
}

/** Filters that combine, with the number of serials that each choice leaves. */
export function SerialFilters({ filter, onFilter }: StockFiltersProps) {
  return (
    <ChoiceFilters
      kinds={serialKinds}
      value={filter}
      onChange={(chosen) => onFilter({ ...filter, ...chosen })}
      counts={{
        queryKey: ownKeys.serialChoices(filter),
        queryFn: async ({ signal }) => {
          const query = stockQuery(filter);
          // until states are chosen, the list shows what is available, and so do the counts; but not those of the states
          const [all, available] = await Promise.all([
            api.listSerialChoices({ query }, { signal }),
            filter.status ? null : api.listSerialChoices({ query: { ...query, state: 'available' } }, { signal }),
          ]);
          return { ...(available ?? all), status: all.status };
        },
      }}
    />
  );
}

/** The same for batches. */
export function BatchFilters({ filter, onFilter }: StockFiltersProps) {
  const { batch: _, ...query } = stockQuery(filter);
  return (
    <ChoiceFilters
      kinds={batchKinds}
      value={filter}
      onChange={(chosen) => onFilter({ ...filter, ...chosen })}
      counts={q('listBatchChoices', { query })}
    />
  );
}
