import { CsvActions } from '#widgets/lists/csv-actions.tsx';
import { ExportList } from '#widgets/lists/list.tsx';
import type { RedeemedSearch } from '../list-filters.ts';
import { redeemedList } from './redeemed-list.tsx';

/** Takes redeemed serials in, and those that are listed out. */
export function RedeemedFiles({ search: { page: _, sort, ...filter } }: { search: RedeemedSearch }) {
  return (
    <CsvActions kind="redeemed">
      <ExportList of={redeemedList} filter={filter} sort={sort} />
    </CsvActions>
  );
}
