import { Download } from 'lucide-react';
import { api } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import type { ListFilter } from '../../ui/filter-bar.tsx';
import { CsvActions } from '../../widgets/csv-actions.tsx';
import { useSave } from '../../widgets/use-save.ts';
import { filterQuery } from './customers-query.ts';

/** Import, export, and a sample file. */
export function FileActions({ filter }: { filter: ListFilter }) {
  const list = useSave(
    'customers.csv',
    () => api.stream.exportCustomers({ query: filterQuery(filter) }, { accept: 'text/csv' }),
    'Export failed.',
  );
  return (
    <CsvActions kind="customers">
      <Button onClick={() => list.mutate()} busy={list.isPending}>
        <Download className="-ml-0.5 size-4" aria-hidden />
        Export CSV
      </Button>
    </CsvActions>
  );
}
