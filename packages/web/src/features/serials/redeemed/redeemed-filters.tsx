import { X } from 'lucide-react';
import { q } from '#lib/queries/operation.ts';
import { Button } from '#ui/button.tsx';
import { ChoiceFilters, kindOf } from '#widgets/lists/choice-filters.tsx';
import { filterQuery, type RedeemedFilter } from './redeemed-filter.ts';

export const redeemedKinds = [
  kindOf.words('status', 'Status', {
    active: 'Active',
    download_limit: 'Limit reached',
    seats_taken: 'Seats full',
    revoked: 'Revoked',
  }),
  kindOf.named('product', 'Product', 'None'),
  kindOf.named('reseller', 'Reseller', 'Your own sales'),
  kindOf.named('batch', 'Batch', 'No tag'),
  kindOf.country,
] as const;

interface RedeemedFiltersProps {
  filter: RedeemedFilter;
  onFilter: (filter: RedeemedFilter) => void;
}

/** Filters that combine, with the number of serials that each choice leaves. */
export function RedeemedFilters({ filter, onFilter }: RedeemedFiltersProps) {
  return (
    <ChoiceFilters
      kinds={redeemedKinds}
      value={filter}
      onChange={(chosen) => onFilter({ ...filter, ...chosen })}
      counts={q('listRedeemedChoices', { query: filterQuery(filter) })}
    >
      {filter.customer ? (
        <Button className="text-sm!" onClick={() => onFilter({ ...filter, customer: undefined })}>
          {filter.customer.includes(',') ? 'Some customers' : 'One customer'}
          <X className="-mr-1 size-3.5" aria-label="Show all customers" />
        </Button>
      ) : null}
    </ChoiceFilters>
  );
}
