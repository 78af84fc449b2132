import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RedeemedSerial } from '../../../lib/types.ts';
import { CustomerCell } from '../../../ui/customer-cell.tsx';
import { SerialBadge } from '../../../ui/serial-badge.tsx';
import { SerialCode } from '../../../ui/serial-code.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { DownloadCount } from '../downloads-used.tsx';
import { totalText } from './redeemed-total.ts';
import { RowActions } from './row-actions.tsx';

/** The row's own link: where its keys move to, and what Enter opens. */
function ToSerial({ row, className }: { row: RedeemedSerial; className?: string }) {
  return (
    <Link
      to="/dashboard/serials/$serialId"
      params={{ serialId: row.id }}
      data-row-link
      className="rounded-[3px] decoration-line-strong underline-offset-4 hover:underline"
    >
      <SerialCode code={row.code} {...(className ? { className } : {})} />
    </Link>
  );
}

export const columns: Column<RedeemedSerial>[] = [
  { key: 'serial', header: 'Serial', bar: '190px', cell: (row) => <ToSerial row={row} /> },
  {
    key: 'status',
    header: 'Status',
    bar: '80px',
    cell: (row) => <SerialBadge standing={row.standing} />,
  },
  {
    key: 'customer',
    header: 'Customer',
    sort: 'customer',
    bar: '160px',
    className: 'w-full',
    cell: (row) => <CustomerCell customer={row.customer} />,
  },
  {
    key: 'product',
    header: 'Product',
    sort: 'product',
    optional: true,
    bar: '110px',
    cell: (row) => (
      <span className="line-clamp-2 max-w-44 min-w-24 wrap-anywhere 2xl:max-w-80 2xl:min-w-72" title={row.product_name}>
        {row.product_name}
      </span>
    ),
  },
  {
    key: 'downloads',
    header: 'Downloads',
    optional: true,
    bar: '60px',
    cell: (row) => <DownloadCount count={row.download_count} short />,
  },
  {
    key: 'country',
    header: 'Country',
    optional: true,
    bar: '24px',
    className: '@max-[1100px]:hidden',
    cell: (row) => <span className="text-sm text-muted">{row.country ?? '–'}</span>,
  },
  {
    key: 'tag',
    header: 'Batch',
    optional: true,
    bar: '60px',
    className: '@max-[1100px]:hidden',
    cell: (row) => (
      <Link
        to="/dashboard/batches/$batchId"
        params={{ batchId: row.batch_id }}
        className="block max-w-40 truncate rounded-sm text-sm text-muted hover:text-text hover:underline"
      >
        {row.batch_tag ?? 'No tag'}
      </Link>
    ),
  },
  {
    key: 'total',
    header: 'Total',
    sort: 'total',
    optional: true,
    bar: '48px',
    className: 'text-right',
    cell: (row) => <span className="figures">{totalText(row)}</span>,
  },
  {
    key: 'date',
    header: 'Redeemed',
    sort: 'redeemed_at',
    optional: true,
    bar: '72px',
    cell: (row) => <TimeAgo iso={row.redeemed_at} className="text-sm text-muted" />,
  },
  {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    bar: '16px',
    className: 'w-10 pl-0! pr-3! text-right',
    cell: (row) => <RowActions row={row} />,
  },
];

export function RedeemedCard({ row, pick }: { row: RedeemedSerial; pick: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        {pick}
        <span className="min-w-0 flex-1 overflow-x-auto">
          <ToSerial row={row} className="text-md" />
        </span>
        <RowActions row={row} />
      </div>
      <CustomerCell customer={row.customer} />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 text-sm text-muted">
        <span className="min-w-0 wrap-anywhere">{row.product_name}</span>
        <SerialBadge standing={row.standing} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm text-muted">
        <TimeAgo iso={row.redeemed_at} />
        <span className="figures flex items-center gap-3">
          <DownloadCount count={row.download_count} />
          {totalText(row)}
        </span>
      </div>
    </div>
  );
}
