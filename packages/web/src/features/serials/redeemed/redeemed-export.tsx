import { api } from '../../../lib/api.ts';
import type { ListFilter } from '../../../ui/filter-bar.tsx';
import { ExportButton } from '../file-actions.tsx';
import { useExport } from '../use-export.ts';

/** Everything the filter lets through, not only the page in sight. */
export function RedeemedExport({ filter }: { filter: ListFilter }) {
  const save = useExport('redeemed_serials.csv', () =>
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
