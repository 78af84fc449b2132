import type { ReactNode } from 'react';
import { type AnyFilter, setIn } from '#lib/lists/list-filter.ts';
import { absent } from '#lib/navigation/search-params.ts';
import { SearchInput } from '../forms/search-input.tsx';
import { FilterRow, searchClass } from './filter-row.tsx';
import { Choices, type ChoicesProps } from './narrowed.tsx';

interface FiltersProps<Filter extends AnyFilter> extends ChoicesProps<Filter> {
  /** There are so many that a row of them needs a wide screen. */
  many?: boolean;
  actions?: ReactNode;
  /** Filters between the choices and the further ones. */
  children?: ReactNode;
}

/** Search and filters above a list. */
export function Filters<Filter extends AnyFilter>(props: FiltersProps<Filter>) {
  const { at, many = false, actions, children } = props;
  const { of, filter, onFilter } = at;
  const { search, More } = of;
  const typed = search?.by ?? 'search';
  const usual: AnyFilter = absent(of.filters);
  return (
    <FilterRow
      many={many}
      chosen={setIn(filter, usual).filter((key) => key !== typed).length}
      onClear={() => onFilter({ ...usual, ...(search ? { [typed]: filter[typed] } : {}) } as Partial<Filter>)}
      actions={actions}
      search={
        search ? (
          <SearchInput
            value={`${filter[typed] ?? ''}`}
            onChange={(next) => onFilter({ ...filter, [typed]: next })}
            placeholder={search.placeholder}
            label={search.label}
            className={searchClass}
          />
        ) : null
      }
    >
      <Choices {...props} />
      {children}
      {More ? <More filter={filter} onFilter={onFilter} /> : null}
    </FilterRow>
  );
}
