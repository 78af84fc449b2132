import { api } from '../../../lib/api.ts';
import type { ListFilter } from '../../../ui/filter-bar.tsx';
import { useSave } from '../../../widgets/use-save.ts';
import { ExportButton } from '../export-button.tsx';

/** Everything that matches the filter, not only the current page. */
export function RedeemedExport({ filter }: { filter: ListFilter }) {
  const save = useSave('redeemed_serials.csv', () =>
    api.stream.listRedeemedSerials(
      { query: { dateRange: filter.dateRange, ...(filter.search ? { search: filter.search } : {}) } },
      { accept: 'text/csv' },
    ),
  );
  return (
    <ExportButton busy={save.isPending} onClick={() => save.mutate()}>
      Export CSV
    </ExportButton>
  );
}
