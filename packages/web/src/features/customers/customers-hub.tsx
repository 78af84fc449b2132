import { useTitle } from '../../lib/hooks.ts';
import { FilterBar, type ListFilter } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { TabLink, TabNav } from '../../ui/tabs.tsx';
import { CustomerList } from './customer-list.tsx';
import { FileActions } from './file-actions.tsx';
import { FirstSteps } from './first-steps.tsx';

interface CustomersHubProps {
  filter: ListFilter;
  page: number;
  onFilter: (filter: ListFilter) => void;
  onPage: (page: number) => void;
}

export function CustomersHub({ filter, page, onFilter, onPage }: CustomersHubProps) {
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
      <FilterBar filter={filter} onFilter={onFilter} placeholder="Search name or email..." label="Search customers">
        <FileActions filter={filter} />
      </FilterBar>
      <CustomerList filter={filter} page={page} onPage={onPage} onFilter={onFilter} />
    </>
  );
}
