import { DateRangeSelect } from './filter-bar.tsx';
import type { Filtering } from './narrowed.tsx';

/** The days of a list, as a filter of it. */
export function Days<Filter extends { dateRange: string }>({ filter, onFilter }: Filtering<Filter>) {
  return (
    <DateRangeSelect value={filter.dateRange} onChange={(dateRange) => onFilter({ ...filter, dateRange })} withAll />
  );
}
