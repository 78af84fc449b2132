import { useTitle } from '../../lib/hooks.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { TabLink, TabNav } from '../../ui/tabs.tsx';
import type { CustomerFilter } from './customer-filter.ts';
import { CustomerFilters } from './customer-filters.tsx';
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
      <PageHeader
        title="Customers Hub"
        actions={
          <TabNav label="Customers and serials">
            <TabLink to="/dashboard/customers" current>
              Customers
            </TabLink>
            <TabLink to="/dashboard/serials">Serials</TabLink>
          </TabNav>
        }
      />
      <FirstSteps />
      <FilterBar
        filter={filter}
        onFilter={(next) => onFilter({ ...filter, ...next })}
        placeholder="Search name or email..."
        label="Search customers"
      >
        <FileActions filter={filter} />
      </FilterBar>
      <CustomerFilters filter={filter} onFilter={onFilter} />
      <CustomerList filter={filter} page={page} sort={sort} onPage={onPage} onFilter={onFilter} onSort={onSort} />
    </>
  );
}
