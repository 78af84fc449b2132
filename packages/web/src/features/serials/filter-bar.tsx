import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DateInput } from '../../ui/field.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import type { SerialFilter } from './filter.ts';

const presets = ['all', '1w', '2w', '1m'];

export function FilterBar({ filter, onFilter }: { filter: SerialFilter; onFilter: (filter: SerialFilter) => void }) {
  const applied = presets.includes(filter.dateRange) ? null : filter.dateRange.split('_to_');
  const [customOpen, setCustomOpen] = useState(applied !== null);
  const [from, setFrom] = useState(applied?.[0] ?? '');
  const [to, setTo] = useState(applied?.[1] ?? '');

  // Back and Forward change the address without this bar.
  useEffect(() => {
    const range = presets.includes(filter.dateRange) ? null : filter.dateRange.split('_to_');
    setCustomOpen(range !== null);
    if (range) {
      setFrom(range[0] ?? '');
      setTo(range[1] ?? '');
    }
  }, [filter.dateRange]);

  const choose = (value: string) => {
    if (value === 'custom') return setCustomOpen(true);
    setCustomOpen(false);
    onFilter({ ...filter, dateRange: value });
  };
  const apply = () => {
    if (!from || !to) return;
    onFilter({ ...filter, dateRange: from <= to ? `${from}_to_${to}` : `${to}_to_${from}` });
  };

  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <SearchInput
        value={filter.search}
        onChange={(search) => onFilter({ ...filter, search })}
        placeholder="Search name, email, serial, product, date..."
        label="Search serials"
        className="w-full sm:max-w-[400px] sm:flex-1"
      />
      <Select
        aria-label="Dates"
        value={customOpen ? 'custom' : filter.dateRange}
        onChange={(event) => choose(event.target.value)}
        className="w-full sm:w-36"
      >
        <option value="all">All Dates</option>
        <option value="1w">1 Week</option>
        <option value="2w">2 Weeks</option>
        <option value="1m">1 Month</option>
        <option value="custom">Custom</option>
      </Select>
      {customOpen ? (
        <div className="grid w-full grid-cols-2 items-center gap-2 sm:flex sm:w-auto">
          <DateInput
            aria-label="First day"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
            className="sm:w-38"
          />
          <DateInput
            aria-label="Last day"
            value={to}
            onChange={(event) => setTo(event.target.value)}
            className="sm:w-38"
          />
          <Button onClick={apply} disabled={!from || !to} className="col-span-2">
            Apply
          </Button>
        </div>
      ) : null}
    </div>
  );
}
