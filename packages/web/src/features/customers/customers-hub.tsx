import { useTitle } from '#lib/hooks.ts';
import { FilterBar } from '#ui/lists/filter-bar.tsx';
import { PageHeader } from '#ui/page.tsx';
import { CustomerSerialTabs } from '#ui/serials/customer-serial-tabs.tsx';
import { chosenIn } from '#widgets/lists/choice-filters.tsx';
import { type CustomerFilter, nothing } from './customer-filter.ts';
import { CustomerFilters, customerKinds } from './customer-filters.tsx';
import { CustomerList } from './customer-list.tsx';
import type { CustomerSort } from './customers-query.ts';
import { FileActions } from './file-actions.tsx';
import { FirstSteps } from './first-steps.tsx';

interface CustomersHubProps {
  filter: CustomerFilter;
  page: number;
  sort: CustomerSort;
  onFilter: (filter: CustomerFilter, sort?: string) => void;
  onSort: (by: string) => void;
  onPage: (page: number) => void;
}

export function CustomersHub({ filter, page, sort, onFilter, onSort, onPage }: CustomersHubProps) {
  useTitle('Customers');
  return (
    <>
      <PageHeader title="Customers Hub" actions={<CustomerSerialTabs at="customers" />} />
      <FirstSteps />
      <div className="mb-4 flex flex-wrap gap-2 sm:justify-end">
        <FileActions filter={filter} />
      </div>
      <FilterBar
        filter={filter}
        onFilter={(next) => onFilter({ ...filter, ...next })}
        placeholder="Search name or email..."
        label="Search customers"
        choices={<CustomerFilters filter={filter} onFilter={onFilter} />}
        chosen={chosenIn(customerKinds, filter) + (filter.redeemed === 'all' ? 0 : 1)}
        onClear={() => onFilter({ ...nothing, search: filter.search })}
      />
      <CustomerList filter={filter} page={page} sort={sort} onPage={onPage} onFilter={onFilter} onSort={onSort} />
    </>
  );
}
