import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RedeemedSerial } from '#lib/types.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { EmailText } from '#ui/email-text.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { CustomerCell } from '#ui/serials/customer-cell.tsx';
import { SerialBadge } from '#ui/serials/serial-badge.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { DownloadCount, DownloadsInRow } from '../downloads-used.tsx';
import { RevokeToggle } from '../revoke-toggle.tsx';
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

/** The code, its state, and what is done with it most. */
function SerialCell({ row }: { row: RedeemedSerial }) {
  return (
    <div className="flex flex-col gap-0.5 py-2">
      <ToSerial row={row} />
      <span className="flex items-center gap-0.5">
        <SerialBadge standing={row.standing} className="mr-1" />
        <RevokeToggle compact serial={row} />
        <CopyButton compact text={row.code} what={row.code} className="h-6! px-1.5!" />
      </span>
    </div>
  );
}

const name = (key: 'first_name' | 'last_name', header: string): Column<RedeemedSerial> => ({
  key,
  header,
  optional: true,
  bar: '60px',
  cell: (row) => <span className="line-clamp-3 max-w-36 min-w-12 wrap-break-word">{row.customer[key] || '–'}</span>,
});

export const columns: Column<RedeemedSerial>[] = [
  {
    key: 'date',
    header: 'Redeem Date',
    sort: 'redeemed_at',
    optional: true,
    bar: '72px',
    cell: (row) => <TimeAgo iso={row.redeemed_at} className="text-sm text-muted" />,
  },
  { ...name('first_name', 'First'), sort: 'customer' },
  name('last_name', 'Last'),
  {
    key: 'email',
    header: 'Email',
    optional: true,
    bar: '120px',
    className: 'w-full',
    cell: (row) => (
      <Link
        to="/dashboard/customers/$customerId"
        params={{ customerId: row.customer.id }}
        className="block max-w-full min-w-32 rounded-sm py-1 text-sm wrap-anywhere decoration-line-strong underline-offset-4 hover:underline"
      >
        {row.customer.email ? <EmailText email={row.customer.email} /> : 'Erased customer'}
      </Link>
    ),
  },
  { key: 'serial', header: 'Serial', bar: '190px', cell: (row) => <SerialCell row={row} /> },
  {
    key: 'product',
    header: 'Product',
    sort: 'product',
    optional: true,
    bar: '110px',
    cell: (row) => (
      <div className="flex max-w-44 min-w-28 flex-col items-start gap-0.5 py-2 2xl:max-w-80 2xl:min-w-56">
        <span className="line-clamp-2 wrap-anywhere" title={row.product_name}>
          {row.product_name}
        </span>
        <DownloadsInRow serial={row} />
      </div>
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
    key: 'country',
    header: 'Country',
    extra: true,
    bar: '24px',
    cell: (row) => <span className="text-sm text-muted">{row.country ?? '–'}</span>,
  },
  {
    key: 'tag',
    header: 'Batch',
    extra: true,
    bar: '60px',
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
