import { useTitle } from '#lib/hooks.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { PageHeader } from '#ui/page.tsx';
import { CustomerSerialTabs } from '#ui/serials/customer-serial-tabs.tsx';
import { CsvActions } from '#widgets/lists/csv-actions.tsx';
import { ExportList, List } from '#widgets/lists/list.tsx';
import { customerList } from './customer-list.tsx';
import { FirstSteps } from './first-steps.tsx';
import type { CustomerFilter } from './list-filters.ts';

export function CustomersHub({ place }: { place: ListPlace<CustomerFilter> }) {
  useTitle('Customers');
  return (
    <>
      <PageHeader title="Customers Hub" actions={<CustomerSerialTabs at="customers" />} />
      <FirstSteps />
      <div className="mb-4 flex flex-wrap gap-2 sm:justify-end">
        <CsvActions kind="customers">
          <ExportList of={customerList} filter={place.filter} sort={place.sort} />
        </CsvActions>
      </div>
      <List of={customerList} place={place} />
    </>
  );
}
