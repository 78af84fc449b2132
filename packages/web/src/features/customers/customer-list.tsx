import { useQuery } from '@tanstack/react-query';
import { numberedPage } from '#lib/lists/trail.ts';
import { viewFilter } from '#lib/lists/view-filter.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { CountedPages } from '#ui/lists/counted-pages.tsx';
import { ListFrame } from '#ui/lists/list-frame.tsx';
import { NoPage } from '#ui/lists/no-page.tsx';
import { Empty } from '#ui/states.tsx';
import { ViewsMenu } from '#widgets/lists/views-menu.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { type CustomerFilter, filterQuery, hasChosen, isNarrowed, nothing } from './customer-filter.ts';
import { CustomerCard, columns } from './customer-rows.tsx';
import { type CustomerSort, customersQuery } from './customers-query.ts';

interface CustomerListProps {
  filter: CustomerFilter;
  page: number;
  sort: CustomerSort;
  onPage: (page: number) => void;
  /** Another order comes with the filter of a view. */
  onFilter: (filter: CustomerFilter, sort?: string) => void;
  onSort: (by: string) => void;
}

export function CustomerList({ filter, page, sort, onPage, onFilter, onSort }: CustomerListProps) {
  const list = useQuery(customersQuery(filter, page, sort));
  const { data } = list;
  const query = { ...filterQuery(filter), ...(sort ? { sort } : {}) };
  return (
    <ListFrame
      table="customers"
      caption="Customers"
      one="customer"
      failed="Customers couldn't be loaded"
      list={list}
      rows={data?.customers}
      rowKey={(row) => row.id}
      nameOf={(row) => row.email}
      columns={columns}
      card={(row, pick) => <CustomerCard row={row} pick={pick} />}
      sort={{ by: sort ?? '-signup_date', onSort }}
      which={JSON.stringify(filter)}
      matching={data && { total: data.total, exact: data.total_exact }}
      actions={(picked) => <BulkActions picked={picked} filter={filter} />}
      views={(shown) => (
        <ViewsMenu
          list="customers"
          filter={viewFilter(filterQuery(filter), sort)}
          columns={shown}
          onApply={({ sort: order = '', ...view }) => onFilter({ ...nothing, ...view }, order)}
        />
      )}
      trail={
        data && {
          kind: 'customers',
          list: 'customers',
          query,
          total: data.total,
          exact: data.total_exact,
          page: numberedPage(page, data.customers.length, data),
        }
      }
      empty={
        !data ? null : data.total > 0 ? (
          <NoPage data={data} onPage={onPage} />
        ) : (
          <NoCustomers filter={filter} onFilter={onFilter} />
        )
      }
      footer={
        data ? (
          <CountedPages data={{ ...data, rows: data.customers }} what="customer" page={page} onPage={onPage} />
        ) : null
      }
    />
  );
}

function NoCustomers({ filter, onFilter }: Pick<CustomerListProps, 'filter' | 'onFilter'>) {
  return isNarrowed(filter) ? (
    <Empty title="No customers found." action={<Button onClick={() => onFilter(nothing)}>Clear the filter</Button>}>
      {hasChosen(filter)
        ? 'No customer matches the search, the dates and the filters.'
        : filter.search
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
