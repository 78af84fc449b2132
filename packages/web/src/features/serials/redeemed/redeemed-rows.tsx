import type { RedeemedSerial } from '../../../lib/types.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { SelectBox, type Selection } from '../../../ui/selection.tsx';
import { SerialBadge } from '../../../ui/serial-badge.tsx';
import type { Column } from '../../../ui/table.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { CodeLink } from '../code-link.tsx';
import { DownloadCount } from '../downloads-used.tsx';
import { RevokeToggle } from '../revoke-toggle.tsx';
import { totalText } from './redeemed-total.ts';

type Picked = Selection<RedeemedSerial>;

function Pick({ row, selection, className }: { row: RedeemedSerial; selection: Picked; className?: string }) {
  return (
    <SelectBox
      label={`Select ${row.code}`}
      checked={selection.has(row)}
      onChange={() => selection.toggle(row)}
      {...(className ? { className } : {})}
    />
  );
}

export function redeemedColumns(selection: Picked): Column<RedeemedSerial>[] {
  return [
    {
      key: 'select',
      header: 'Select',
      quiet: true,
      bar: '16px',
      className: 'w-10 pl-3! pr-0!',
      cell: (row) => <Pick row={row} selection={selection} />,
    },
    {
      key: 'date',
      header: 'Redeem Date',
      bar: '72px',
      cell: (row) => <TimeAgo iso={row.redeemed_at} className="text-sm text-muted" />,
    },
    { key: 'first', header: 'First', bar: '48px', cell: (row) => name(row.first_name) },
    { key: 'last', header: 'Last', bar: '60px', cell: (row) => name(row.last_name) },
    {
      key: 'email',
      header: 'Email',
      bar: '130px',
      cell: (row) => (
        <span className="block max-w-30 truncate text-muted 2xl:max-w-48" title={row.email}>
          {row.email}
        </span>
      ),
    },
    {
      key: 'serial',
      header: 'Serial',
      bar: '190px',
      cell: (row) => (
        <div className="flex flex-col items-start gap-1 py-2.5">
          <CodeLink id={row.id} code={row.code} />
          <span className="flex items-center gap-1">
            <SerialBadge standing={row.standing} />
            <CopyButton compact text={row.code} what={row.code} className="h-6" />
            <RevokeToggle serial={row} compact />
          </span>
        </div>
      ),
    },
    {
      key: 'product',
      header: 'Product',
      bar: '110px',
      cell: (row) => (
        <>
          <span className="block max-w-32 truncate" title={row.product_name}>
            {row.product_name}
          </span>
          <DownloadCount count={row.download_count} />
        </>
      ),
    },
    {
      key: 'total',
      header: 'Total',
      bar: '48px',
      className: 'text-right',
      cell: (row) => <span className="figures">{totalText(row)}</span>,
    },
  ];
}

const name = (text: string | null) => (
  <span className="block max-w-22 truncate" title={text ?? undefined}>
    {text ?? '–'}
  </span>
);

export function RedeemedCard({ row, selection }: { row: RedeemedSerial; selection: Picked }) {
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex items-center gap-1">
        <Pick row={row} selection={selection} className="-ml-2" />
        <span className="min-w-0 truncate">
          <CodeLink id={row.id} code={row.code} className="text-md" />
        </span>
        <SerialBadge standing={row.standing} className="ml-auto" />
      </div>
      <div className="min-w-0">
        <p className="truncate">
          {row.first_name} {row.last_name}
        </p>
        <p className="truncate text-sm text-muted">{row.email}</p>
      </div>
      <div className="flex items-center justify-between gap-3 text-sm text-muted">
        <span className="truncate">{row.product_name}</span>
        <span className="figures flex shrink-0 items-center gap-3">
          <DownloadCount count={row.download_count} />
          {totalText(row)}
        </span>
      </div>
      <div className="flex items-center justify-between gap-2">
        <TimeAgo iso={row.redeemed_at} className="text-sm text-muted" />
        <span className="flex gap-1.5">
          <CopyButton text={row.code} what={row.code} />
          <RevokeToggle serial={row} />
        </span>
      </div>
    </div>
  );
}
