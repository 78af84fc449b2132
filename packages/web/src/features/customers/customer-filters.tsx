import { q } from '#lib/queries/operation.ts';
import { Select } from '#ui/forms/select.tsx';
import { ChoiceFilters, kindOf } from '#widgets/lists/choice-filters.tsx';
import { type CustomerFilter, filterQuery } from './customer-filter.ts';

export const customerKinds = [
  kindOf.words('status', 'Status', {
    active: 'With a working serial',
    revoked: 'All serials revoked',
    none: 'No serials',
  }),
  kindOf.named('product', 'Product', 'None'),
  kindOf.named('reseller', 'Reseller', 'Your own sales'),
  kindOf.country,
] as const;

interface CustomerFiltersProps {
  filter: CustomerFilter;
  onFilter: (filter: CustomerFilter) => void;
}

/** Filters that combine, with the number of customers that each choice leaves. */
export function CustomerFilters({ filter, onFilter }: CustomerFiltersProps) {
  const { redeemed } = filter;
  return (
    <ChoiceFilters
      kinds={customerKinds}
      value={filter}
      onChange={(chosen) => onFilter({ ...filter, ...chosen })}
      counts={q('listCustomerChoices', { query: filterQuery(filter) })}
    >
      <Select
        aria-label="Redeemed"
        value={redeemed}
        onChange={(event) => onFilter({ ...filter, redeemed: event.target.value })}
        className="w-46"
      >
        <option value="all">Redeemed any time</option>
        <option value="1w">Redeemed this week</option>
        <option value="2w">Redeemed in 2 weeks</option>
        <option value="1m">Redeemed in 1 month</option>
        {redeemed.includes('_to_') ? <option value={redeemed}>{redeemed.replace('_to_', ' – ')}</option> : null}
      </Select>
    </ChoiceFilters>
  );
}
