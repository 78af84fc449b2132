import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { keys } from '../../../lib/queries/keys.ts';
import { Button } from '../../../ui/button.tsx';
import { type Choice, ChoiceFilter } from '../../../ui/choice-filter.tsx';
import { filterQuery, kinds, type RedeemedFilter, unchosen } from './redeemed-filter.ts';

const labels = { status: 'Status', product: 'Product', reseller: 'Reseller', batch: 'Batch', country: 'Country' };
const states: Record<string, string> = {
  active: 'Active',
  download_limit: 'Limit reached',
  seats_taken: 'Seats full',
  revoked: 'Revoked',
};
const none: Partial<Record<keyof typeof labels, string>> = { reseller: 'Your own sales', country: 'Unknown' };
const regions = new Intl.DisplayNames('en', { type: 'region' });

function labelOf(kind: keyof typeof labels, { value, label }: { value: string; label: string | null }): string {
  if (value === 'none') return none[kind] ?? 'None';
  if (kind === 'status') return states[value] ?? value;
  if (kind === 'country') return regions.of(value) ?? value;
  return label ?? 'No tag';
}

interface RedeemedFiltersProps {
  filter: RedeemedFilter;
  onFilter: (filter: RedeemedFilter) => void;
}

/** Filters that combine, with the number of serials that each choice leaves. */
export function RedeemedFilters({ filter, onFilter }: RedeemedFiltersProps) {
  const [wanted, setWanted] = useState(false);
  const chosen = kinds.some((kind) => filter[kind]);
  const counts = useQuery({
    queryKey: keys.redeemed.choices(filter),
    queryFn: ({ signal }) => api.listRedeemedChoices({ query: filterQuery(filter) }, { signal }),
    // names are needed for what is chosen already
    enabled: wanted || chosen,
    staleTime: 30_000,
    placeholderData: (before) => before,
  });
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      {kinds.map((kind) => (
        <ChoiceFilter
          key={kind}
          label={labels[kind]}
          value={filter[kind]}
          choices={counts.data?.[kind].map(
            (each): Choice => ({ value: each.value, label: labelOf(kind, each), count: each.count }),
          )}
          failed={counts.isError}
          onOpen={() => {
            setWanted(true);
            if (counts.isError) counts.refetch();
          }}
          onChange={(value) => onFilter({ ...filter, [kind]: value })}
        />
      ))}
      {chosen ? (
        <Button size="sm" variant="ghost" onClick={() => onFilter({ ...filter, ...unchosen })}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
}
