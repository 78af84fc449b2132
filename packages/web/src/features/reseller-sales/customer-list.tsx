import { useQuery } from '@tanstack/react-query';
import { formatCount, plural } from '#lib/format/format.ts';
import { salesCustomersQuery } from '#lib/queries/sales.ts';
import type { ResellerCustomer } from '#lib/types.ts';
import { CountedPages } from '#ui/lists/counted-pages.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { NoRows } from './no-rows.tsx';
import type { SalesListProps } from './transaction-list.tsx';

/** Who redeemed a serial that the reseller was given; the same person at two developers is two customers. */
export function CustomerList({ filter, page, onFilter, onPage }: SalesListProps) {
  const list = useQuery(salesCustomersQuery(filter, page));
  const { data } = list;
  return (
    <Panel className="overflow-hidden">
      {list.isError ? (
        <Failed
          title="Customers couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      ) : data?.rows.length === 0 ? (
        <NoRows what="customers" data={data} filter={filter} onFilter={onFilter} onPage={onPage} />
      ) : (
        <>
          <DataTable
            caption="Customers"
            columns={columns}
            rows={data?.rows}
            rowKey={(row) => row.id}
            card={(row) => <CustomerCard row={row} />}
            stale={list.isPlaceholderData}
            skeletonRows={10}
          />
          {data ? <CountedPages data={data} what="customer" page={page} onPage={onPage} /> : null}
        </>
      )}
    </Panel>
  );
}

const nameOf = (row: ResellerCustomer) => [row.first_name, row.last_name].filter(Boolean).join(' ') || '–';

const text = (key: string, header: string, cell: (row: ResellerCustomer) => string): Column<ResellerCustomer> => ({
  key,
  header,
  bar: '110px',
  cell: (row) => <span className="line-clamp-2 max-w-96 wrap-anywhere">{cell(row)}</span>,
});

const columns: Column<ResellerCustomer>[] = [
  {
    key: 'customer',
    header: 'Customer',
    bar: '140px',
    cell: (row) => (
      <span className="block max-w-lg py-1.5 leading-5">
        <span className="block font-medium wrap-anywhere">{nameOf(row)}</span>
        <span className="block text-sm break-all text-muted">{row.email ?? 'Erased'}</span>
      </span>
    ),
  },
  text('developer', 'Developer', (row) => row.developer_name),
  text('product', 'Last product', (row) => row.product_name),
  {
    key: 'redemptions',
    header: 'Redemptions',
    bar: '24px',
    className: 'text-right',
    cell: (row) => <span className="figures">{formatCount(row.redemptions)}</span>,
  },
  {
    key: 'last',
    header: 'Last redeemed',
    bar: '72px',
    className: 'text-right',
    cell: (row) => <TimeAgo iso={row.last_redeemed_at} className="text-sm text-muted" />,
  },
];

function CustomerCard({ row }: { row: ResellerCustomer }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium wrap-anywhere">{nameOf(row)}</p>
      <p className="text-sm break-all text-muted">{row.email ?? 'Erased'}</p>
      <p className="text-sm wrap-anywhere">
        {row.product_name} <span className="text-muted">· {row.developer_name}</span>
      </p>
      <div className="figures flex items-center justify-between gap-3 text-sm text-muted">
        {plural(row.redemptions, 'redemption')}
        <TimeAgo iso={row.last_redeemed_at} />
      </div>
    </div>
  );
}
