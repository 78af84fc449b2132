import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { DateInput } from '../forms/field.tsx';
import { SearchInput } from '../forms/search-input.tsx';
import { Select } from '../forms/select.tsx';
import { FilterRow, searchClass, useInSheet } from './filter-row.tsx';

/** As in the URL: `all`, `1w`, `2w`, `1m` or `YYYY-MM-DD_to_YYYY-MM-DD`. */
export interface ListFilter {
  search: string;
  dateRange: string;
}

export const noFilter: ListFilter = { search: '', dateRange: 'all' };
export const isFiltered = (filter: ListFilter) => filter.search !== '' || filter.dateRange !== 'all';

interface DateRangeSelectProps {
  value: string;
  onChange: (value: string) => void;
  label?: string;
  /** Offers `All Dates` too. */
  withAll?: boolean;
  className?: string;
}

const customOf = (value: string) => (value.includes('_to_') ? value.split('_to_') : null);

/** One of three periods that end today, or two custom days, which take effect on Apply. */
export function DateRangeSelect({ value, onChange, label = 'Dates', withAll, className }: DateRangeSelectProps) {
  const applied = customOf(value);
  const inSheet = useInSheet();
  const [customOpen, setCustomOpen] = useState(applied !== null);
  const [from, setFrom] = useState(applied?.[0] ?? '');
  const [to, setTo] = useState(applied?.[1] ?? '');

  // Back and Forward change the address without this control.
  useEffect(() => {
    const range = customOf(value);
    setCustomOpen(range !== null);
    if (range) {
      setFrom(range[0] ?? '');
      setTo(range[1] ?? '');
    }
  }, [value]);

  const choose = (next: string) => {
    setCustomOpen(next === 'custom');
    if (next !== 'custom') onChange(next);
  };
  const apply = () => {
    if (from && to) onChange(from <= to ? `${from}_to_${to}` : `${to}_to_${from}`);
  };

  return (
    <div className={cn('flex flex-wrap gap-2', className)}>
      <Select
        aria-label={label}
        value={customOpen ? 'custom' : value}
        onChange={(event) => choose(event.target.value)}
        className={inSheet ? 'w-full' : 'w-full sm:w-29'}
      >
        {withAll ? <option value="all">All Dates</option> : null}
        <option value="1w">1 Week</option>
        <option value="2w">2 Weeks</option>
        <option value="1m">1 Month</option>
        <option value="custom">Custom</option>
      </Select>
      {customOpen ? (
        <div className={cn('grid w-full grid-cols-2 items-center gap-2', inSheet || 'sm:flex sm:w-auto')}>
          <DateInput
            aria-label="First day"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
            className={inSheet ? '' : 'sm:w-38'}
          />
          <DateInput
            aria-label="Last day"
            value={to}
            onChange={(event) => setTo(event.target.value)}
            className={inSheet ? '' : 'sm:w-38'}
          />
          <Button onClick={apply} disabled={!from || !to} className="col-span-2">
            Apply
          </Button>
        </div>
      ) : null}
    </div>
  );
}

interface FilterBarProps {
  filter: ListFilter;
  onFilter: (filter: ListFilter) => void;
  placeholder: string;
  /** The name of the search field, for screen readers. */
  label: string;
  /** More filters than the dates, and how many of them are set. */
  choices?: ReactNode;
  chosen?: number;
  /** Takes all filters away, and leaves the search. */
  onClear?: () => void;
  /** Actions on the whole list. */
  children?: ReactNode;
}

/** Search, dates and other filters above a list. */
export function FilterBar(props: FilterBarProps) {
  const { filter, onFilter, placeholder, label, choices, chosen = 0, onClear, children } = props;
  return (
    <FilterRow
      many={choices !== undefined}
      chosen={chosen + (filter.dateRange === 'all' ? 0 : 1)}
      onClear={onClear ?? (() => onFilter({ ...filter, dateRange: 'all' }))}
      actions={children}
      search={
        <SearchInput
          value={filter.search}
          onChange={(search) => onFilter({ ...filter, search })}
          placeholder={placeholder}
          label={label}
          className={searchClass}
        />
      }
    >
      <DateRangeSelect value={filter.dateRange} onChange={(dateRange) => onFilter({ ...filter, dateRange })} withAll />
      {choices}
    </FilterRow>
  );
}
