import { Download } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { CsvActions } from '#widgets/lists/csv-actions.tsx';
import { ExportList } from '#widgets/lists/list.tsx';
import type { AvailableSearch } from '../list-filters.ts';
import { stockList } from './stock-list.tsx';

/** Takes stock in, and what is listed out. */
export function AvailableFiles({ search: { page: _, cursor: __, view, ...filter } }: { search: AvailableSearch }) {
  return (
    <CsvActions kind="available">
      {view === 'list' ? (
        <ExportList of={stockList} filter={filter} />
      ) : (
        <Button disabled title="Each group has an export of its own">
          <Download className="-ml-0.5 size-4" aria-hidden />
          Export CSV
        </Button>
      )}
    </CsvActions>
  );
}
