import { useQuery } from '@tanstack/react-query';
import { oneOf } from '#lib/navigation/search-params.ts';
import type { CatalogFilter, CatalogSort } from '#lib/queries/catalog.ts';
import { everyDeveloperQuery } from '#lib/queries/counterparts.ts';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FilterRow, searchClass } from '#ui/lists/filter-row.tsx';

interface CatalogBarProps {
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
}

const sorts: Record<CatalogSort, string> = {
  recent: 'Most Recent',
  alphabetical: 'Alphabetical',
  popular: 'Most Popular',
};
const sortNames = Object.keys(sorts) as CatalogSort[];

/** Search, developer and order above a list. */
export function CatalogBar({ filter, onFilter }: CatalogBarProps) {
  const { data: developers = [] } = useQuery(everyDeveloperQuery);
  return (
    <FilterRow
      chosen={filter.developer ? 1 : 0}
      onClear={() => onFilter({ ...filter, developer: '' })}
      search={
        <SearchInput
          value={filter.search}
          onChange={(search) => onFilter({ ...filter, search })}
          placeholder="Search product, developer, tag..."
          label="Search products and deals"
          className={searchClass}
        />
      }
    >
      <Select
        aria-label="Developer"
        value={filter.developer}
        onChange={(event) => onFilter({ ...filter, developer: event.target.value })}
        className="w-full sm:w-52"
      >
        <option value="">All developers</option>
        {developers.map(({ id, company_name }) => (
          <option key={id} value={id}>
            {company_name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Sort"
        value={filter.sort}
        onChange={(event) => onFilter({ ...filter, sort: oneOf(sortNames)(event.target.value) ?? 'recent' })}
        className="w-full sm:w-44"
      >
        {sortNames.map((sort) => (
          <option key={sort} value={sort}>
            {sorts[sort]}
          </option>
        ))}
      </Select>
    </FilterRow>
  );
}
