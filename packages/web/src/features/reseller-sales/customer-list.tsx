import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import type { ResellerCustomer } from '#lib/types.ts';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { buyerFilters } from './list-filters.ts';
import { noSales } from './no-sales.tsx';

const nameOf = (row: ResellerCustomer) => [row.first_name, row.last_name].filter(Boolean).join(' ') || '–';

const text = (key: string, header: string, cell: (row: ResellerCustomer) => string): Column<ResellerCustomer> => ({
  key,
  header,
  optional: true,
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
    optional: true,
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

/**
 * The customers who redeemed a serial that the reseller was given. The same person at two developers is two customers.
 */
export const buyerList = defineList({
  title: 'Customers',
  one: 'customer',
  operation: 'listResellerCustomers',
  filters: buyerFilters,
  search: { placeholder: 'Search name, email, product...', label: 'Search customers' },
  columns,
  Card: CustomerCard,
  nameOf,
  csv: { file: 'customers.csv', read: (query) => api.stream.listResellerCustomers({ query }, { accept: 'text/csv' }) },
  empty: { title: 'No customers found.', ...noSales },
  skeletonRows: 10,
  tall: true,
});
