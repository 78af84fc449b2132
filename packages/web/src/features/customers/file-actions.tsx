import { Download } from 'lucide-react';
import { api } from '#lib/api.ts';
import { useAsked } from '#lib/keyboard/palette-requests.ts';
import { Button } from '#ui/button.tsx';
import { CsvActions } from '#widgets/lists/csv-actions.tsx';
import { useSave } from '#widgets/lists/use-save.ts';
import { type CustomerFilter, filterQuery } from './customer-filter.ts';

/** Everything that matches the filter, not only the current page. */
export function ExportList({ filter, size }: { filter: CustomerFilter; size?: 'sm' }) {
  const list = useSave(
    'customers.csv',
    () => api.stream.exportCustomers({ query: filterQuery(filter) }, { accept: 'text/csv' }),
    'Export failed.',
  );
  useAsked('export', () => list.mutate());
  return (
    <Button onClick={() => list.mutate()} busy={list.isPending} {...(size ? { size } : {})}>
      <Download className="-ml-0.5 size-4" aria-hidden />
      {size ? 'Export all' : 'Export CSV'}
    </Button>
  );
}

/** Import, export, and a sample file. */
export function FileActions({ filter }: { filter: CustomerFilter }) {
  return (
    <CsvActions kind="customers">
      <ExportList filter={filter} />
    </CsvActions>
  );
}
