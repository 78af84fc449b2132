import { api } from '#lib/api.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { CsvActions } from '#widgets/lists/csv-actions.tsx';
import { ExportList } from '#widgets/lists/list.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import type { RedeemedSearch } from '../list-filters.ts';
import { redeemedList } from './redeemed-list.tsx';

/** Takes redeemed serials in, and those that are listed out: as the list shows them, or with all that an import reads. */
export function RedeemedFiles({ search: { page: _, sort, ...filter } }: { search: RedeemedSearch }) {
  const query = { ...queryOf(filter), columns: 'import' } as const;
  return (
    <CsvActions kind="redeemed">
      <ExportList of={redeemedList} filter={filter} sort={sort} />
      <SaveButton
        file="redeemed_serials_import.csv"
        stream={() => api.stream.listRedeemedSerials({ query }, { accept: 'text/csv' })}
      >
        Export for import
      </SaveButton>
    </CsvActions>
  );
}
