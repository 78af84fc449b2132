import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { formatCount, plural } from '../../lib/format.ts';
import { useRowKeys } from '../../lib/row-keys.ts';
import type { CustomerPage } from '../../lib/types.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { ColumnMenu, useColumns } from '../../ui/columns.tsx';
import { isFiltered, type ListFilter, noFilter } from '../../ui/filter-bar.tsx';
import { Panel } from '../../ui/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { CustomerCard, columns } from './customer-rows.tsx';
import { customersQuery } from './customers-query.ts';

interface CustomerListProps {
  filter: ListFilter;
  page: number;
  onPage: (page: number) => void;
  onFilter: (filter: ListFilter) => void;
}

export function CustomerList({ filter, page, onPage, onFilter }: CustomerListProps) {
  const list = useQuery(customersQuery(filter, page));
  const { data } = list;
  const { shown, choices, toggle } = useColumns('customers', columns);
  const box = useRef<HTMLDivElement>(null);
  useRowKeys(box, {});
  const pages = data ? Math.max(1, Math.ceil(data.total / data.page_size)) : 1;

  if (list.isError) {
    return (
      <Panel>
        <Failed
          title="Customers couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (data?.customers.length === 0) {
    return (
      <Panel>
        {data.total > 0 ? (
          <Empty
            title="Nothing on this page"
            action={<Button onClick={() => onPage(pages)}>Go to the last page</Button>}
          >
            There {pages === 1 ? 'is only one page' : `are only ${formatCount(pages)} pages`} now.
          </Empty>
        ) : (
          <NoCustomers filter={filter} onFilter={onFilter} />
        )}
      </Panel>
    );
  }
  return (
    <div ref={box} data-wide>
      <Panel className="overflow-clip">
        <div className="sticky top-14 z-20 flex min-h-12 items-center justify-between gap-3 rounded-t-lg border-b border-line bg-surface pr-3 pl-5 max-md:hidden">
          <span className="figures text-sm text-muted">Newest first</span>
          <ColumnMenu choices={choices} onToggle={toggle} />
        </div>
        <DataTable
          sticky
          caption="Customers"
          columns={shown}
          rows={data?.customers}
          rowKey={(row) => row.id}
          card={(row) => <CustomerCard row={row} />}
          stale={list.isPlaceholderData}
          skeletonRows={10}
        />
        {data ? <Pagination page={page} pages={pages} summary={totalOf(data)} onPage={onPage} /> : null}
      </Panel>
    </div>
  );
}

const totalOf = ({ total, total_exact }: CustomerPage) =>
  total_exact ? plural(total, 'customer') : `More than ${formatCount(total)} customers`;

function NoCustomers({ filter, onFilter }: Pick<CustomerListProps, 'filter' | 'onFilter'>) {
  return isFiltered(filter) ? (
    <Empty title="No customer matches" action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}>
      {filter.search
        ? `No customer’s name or email address contains “${filter.search}”${filter.dateRange === 'all' ? '' : ' among those who signed up on these days'}. Try a shorter search.`
        : 'Nobody signed up on these days. Try a longer period.'}
    </Empty>
  ) : (
    <Empty
      title="No customers found."
      action={
        <LinkButton to="/dashboard/serials" search={{ tab: 'generator' }} variant="primary">
          Generate serials
        </LinkButton>
      }
    >
      Customers appear here when they redeem a serial. Hand some out, or import your existing customers from a CSV file.
    </Empty>
  );
}
