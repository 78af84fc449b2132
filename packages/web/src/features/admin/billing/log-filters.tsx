import { X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { month as monthOf } from '#lib/navigation/search-params.ts';
import type { BillingLogRow } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Input } from '#ui/forms/field.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FilterRow, searchClass } from '#ui/lists/filter-row.tsx';
import { everyEntry, type LogFilter } from './queries.ts';
import { actions } from './words.ts';

interface LogFiltersProps {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
}

export function LogFilters({ filter, onFilter }: LogFiltersProps) {
  const id = useId();
  const [month, setMonth] = useState(filter.month ?? '');
  useEffect(() => setMonth(filter.month ?? ''), [filter.month]);
  return (
    <FilterRow
      many
      chosen={[filter.status, filter.action, filter.month, filter.user].filter(Boolean).length}
      onClear={() => onFilter({ ...everyEntry, search: filter.search })}
      search={
        <SearchInput
          value={filter.search ?? ''}
          onChange={(search) => onFilter({ ...filter, search: search || undefined })}
          placeholder="Search email or invoice number..."
          label="Search the billing logs"
          className={searchClass}
        />
      }
    >
      <Select
        aria-label="Status"
        className="w-full sm:w-36"
        value={filter.status ?? ''}
        onChange={({ target: { value } }) =>
          onFilter({ ...filter, status: (value || undefined) as BillingLogRow['status'] | undefined })
        }
      >
        <option value="">All statuses</option>
        <option value="success">success</option>
        <option value="failed">failed</option>
      </Select>
      <Select
        aria-label="Action"
        className="w-full sm:w-44"
        value={filter.action ?? ''}
        onChange={({ target: { value } }) =>
          onFilter({ ...filter, action: (value || undefined) as BillingLogRow['action'] | undefined })
        }
      >
        <option value="">All actions</option>
        {Object.entries(actions).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
      <span className="flex w-full items-center gap-2 sm:w-auto">
        <label htmlFor={id} className="text-sm whitespace-nowrap text-muted">
          Month (UTC)
        </label>
        <Input
          id={id}
          type="month"
          placeholder="YYYY-MM"
          className="figures sm:w-40"
          value={month}
          onChange={({ target: { value } }) => {
            setMonth(value);
            if (value === '' || monthOf(value)) onFilter({ ...filter, month: monthOf(value) });
          }}
        />
      </span>
      {filter.user ? (
        <Button size="sm" className="h-9" onClick={() => onFilter({ ...filter, user: undefined })}>
          Developer <code className="font-mono text-xs">{filter.user.slice(0, 8)}…</code>
          <X className="-mr-1 size-4" aria-hidden />
          <span className="sr-only">Show all developers</span>
        </Button>
      ) : null}
    </FilterRow>
  );
}
