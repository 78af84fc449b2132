import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { q } from '#lib/queries/operation.ts';
import type { ShopOrderRow } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { Parts } from '#ui/parts.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { kindOf } from '#widgets/lists/choice-filters.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { useShopLinks } from '../links.ts';
import { orderFilters } from './list-filters.ts';
import { formatPaid } from './money.ts';
import { OrderBadge, orderStateWords } from './states.tsx';

function OrderNumber({ row }: { row: ShopOrderRow }) {
  const links = useShopLinks();
  return (
    <Link
      to={links.order}
      params={{ id: row.id }}
      data-row-link
      className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
      title={row.number}
    >
      {row.number}
    </Link>
  );
}

const customerOf = ({ first_name, last_name, email }: ShopOrderRow) =>
  [first_name, last_name].filter(Boolean).join(' ') || email;

const Paid = ({ row }: { row: ShopOrderRow }) =>
  row.paid === null ? (
    <span className="text-muted">–</span>
  ) : (
    <span className="figures">
      {formatPaid(row.paid, row.currency)}
      {row.currency !== 'USD' && row.paid_usd !== null ? (
        <span className="block text-xs text-muted">{formatMoney(row.paid_usd)}</span>
      ) : null}
    </span>
  );

/** `3`, or `1 of 3` where some are missing. */
const serialsOf = ({ serials, missing }: ShopOrderRow) =>
  missing > 0 ? `${formatCount(serials)} of ${formatCount(serials + missing)}` : formatCount(serials);

const columns: Column<ShopOrderRow>[] = [
  {
    key: 'number',
    header: 'Order',
    bar: '90px',
    cell: (row) => (
      <span className="flex items-center gap-2">
        <span className="block max-w-40 truncate">
          <OrderNumber row={row} />
        </span>
        {row.test ? <Tag>Test</Tag> : null}
      </span>
    ),
  },
  {
    key: 'shop',
    header: 'Shop',
    optional: true,
    bar: '90px',
    cell: (row) => (
      <span className="block max-w-36 truncate text-muted 2xl:max-w-72" title={row.shop_name}>
        {row.shop_name}
      </span>
    ),
  },
  {
    key: 'customer',
    header: 'Customer',
    optional: true,
    bar: '140px',
    className: 'w-1/4',
    cell: (row) => (
      <span className="block max-w-52 truncate 2xl:max-w-80" title={row.email ?? undefined}>
        {customerOf(row) ?? <span className="text-muted">No address</span>}
      </span>
    ),
  },
  { key: 'state', header: 'State', bar: '80px', cell: (row) => <OrderBadge order={row} /> },
  { key: 'paid', header: 'Paid', optional: true, className: 'text-right', cell: (row) => <Paid row={row} /> },
  {
    key: 'serials',
    header: 'Serials',
    optional: true,
    className: 'text-right',
    cell: (row) => <span className="figures">{serialsOf(row)}</span>,
  },
  {
    key: 'received',
    header: 'Came',
    optional: true,
    bar: '70px',
    cell: (row) => <TimeAgo iso={row.received_at} className="text-sm text-muted" />,
  },
];

function OrderCard({ row, pick }: { row: ShopOrderRow; pick: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start justify-between gap-3">
        {pick}
        <span className="min-w-0 flex-1 wrap-anywhere">
          <OrderNumber row={row} />
        </span>
        <OrderBadge order={row} />
      </div>
      <p className="text-sm wrap-anywhere">{customerOf(row) ?? <span className="text-muted">No address</span>}</p>
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span className="wrap-anywhere">
          <Parts
            of={[
              row.shop_name,
              row.paid !== null && formatPaid(row.paid, row.currency),
              plural(row.serials, 'serial'),
              row.missing > 0 && `${formatCount(row.missing)} missing`,
            ]}
          />
        </span>
        <TimeAgo iso={row.received_at} />
      </div>
    </div>
  );
}

export const orderList = defineList({
  name: 'orders',
  title: 'Orders',
  one: 'order',
  operation: 'listShopOrders',
  pageSize: 20,
  filters: orderFilters,
  search: { placeholder: 'Order number or email...', label: 'Search orders' },
  kinds: [kindOf.words('state', 'State', orderStateWords), kindOf.named('shop', 'Shop', 'None')],
  counts: (filter) => q('listShopOrderChoices', { query: queryOf(filter) }),
  columns,
  Card: OrderCard,
  nameOf: ({ number }) => `order ${number}`,
  csv: { file: 'orders.csv', read: (query) => api.stream.listShopOrders({ query }, { accept: 'text/csv' }) },
  empty: {
    title: 'No orders yet',
    none: 'Each order of a connected shop is listed here, with the serials that its customer got.',
    filteredTitle: 'No orders found',
    filtered: ({ search }) =>
      search
        ? 'The search takes the whole number of an order, or the whole email address of its customer.'
        : 'No order matches the dates and the filters.',
  },
  skeletonRows: 10,
});
