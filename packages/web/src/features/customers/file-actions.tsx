import { Download, Upload } from 'lucide-react';
import { lazy, useState } from 'react';
import { api } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import type { ListFilter } from '../../ui/filter-bar.tsx';
import { Later } from '../../ui/later.tsx';
import { filterQuery } from './customers-query.ts';
import { useSave } from './use-save.ts';

const ImportCustomers = lazy(() =>
  import('./import-customers.tsx').then((module) => ({ default: module.ImportCustomers })),
);

/** The list from a file, as a file, and an example of one. */
export function FileActions({ filter }: { filter: ListFilter }) {
  const [importing, setImporting] = useState(false);
  const demo = useSave(
    'customers_demo.csv',
    () => api.stream.downloadDemoCsv({ path: { kind: 'customers' } }, { accept: 'text/csv' }),
    "The demo file couldn't be downloaded.",
  );
  const list = useSave(
    'customers.csv',
    () => api.stream.exportCustomers({ query: filterQuery(filter) }, { accept: 'text/csv' }),
    'Export failed.',
  );
  return (
    <>
      <Button onClick={() => setImporting(true)}>
        <Upload className="-ml-0.5 size-4" aria-hidden />
        Import CSV
      </Button>
      <Button onClick={() => demo.mutate()} busy={demo.isPending}>
        Download Demo
      </Button>
      <Button onClick={() => list.mutate()} busy={list.isPending}>
        <Download className="-ml-0.5 size-4" aria-hidden />
        Export CSV
      </Button>
      <Later when={importing}>
        <ImportCustomers open={importing} onOpenChange={setImporting} onDemo={() => demo.mutate()} />
      </Later>
    </>
  );
}
