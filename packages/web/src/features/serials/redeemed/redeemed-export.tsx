import { api } from '#lib/api.ts';
import { useAsked } from '#lib/keyboard/palette-requests.ts';
import { useSave } from '#widgets/lists/use-save.ts';
import { ExportButton } from '../export-button.tsx';
import { filterQuery, type RedeemedFilter } from './redeemed-filter.ts';

/** Everything that matches the filter, not only the current page. */
export function RedeemedExport({ filter, size }: { filter: RedeemedFilter; size?: 'sm' }) {
  const save = useSave('redeemed_serials.csv', () =>
    api.stream.listRedeemedSerials({ query: filterQuery(filter) }, { accept: 'text/csv' }),
  );
  useAsked('export', () => save.mutate());
  return (
    <ExportButton busy={save.isPending} onClick={() => save.mutate()} {...(size ? { size } : {})}>
      {size ? 'Export all' : 'Export CSV'}
    </ExportButton>
  );
}
