import { Link, linkOptions } from '@tanstack/react-router';
import { Copy, IdCard, Mail, Tags } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, plural } from '#lib/format/format.ts';
import { mailto } from '#lib/mailto.ts';
import type { Customer } from '#lib/types.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { copyNoted } from '#ui/buttons/copy-noted.ts';
import type { Column } from '#ui/lists/table.tsx';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { CustomerCell } from '#ui/serials/customer-cell.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

function LastLogin({ at }: { at: string | null }) {
  return at ? <TimeAgo iso={at} className="text-sm text-muted" /> : <span className="text-sm text-muted">Never</span>;
}

function CustomerActions({ row }: { row: Customer }) {
  return (
    <RowMenu
      label={`Actions for ${row.email}`}
      items={[
        { icon: Copy, label: 'Copy email address', act: () => copyNoted(row.email) },
        { icon: Mail, label: 'Write an email', href: mailto(row.email) },
        row.serials > 0 && {
          icon: Tags,
          label: 'Show serials',
          to: linkOptions({ to: '/dashboard/serials', search: { customer: row.id } }),
        },
        { icon: IdCard, label: 'Copy id', act: () => copyNoted(row.id, 'the id') },
      ]}
    />
  );
}

/** The newest serial: the code leads to the list of all that match it. */
function NewestSerial({ row }: { row: Customer }) {
  if (!row.serial_code) return <span className="text-sm text-muted">None yet</span>;
  return (
    <Link
      to="/dashboard/serials"
      search={{ customer: row.id }}
      className="block rounded-sm py-1.5 text-sm decoration-line-strong underline-offset-4 hover:underline"
    >
      <span className="block wrap-anywhere">{row.product_name}</span>
      <span className="block font-mono text-xs text-muted">{row.serial_code}</span>
    </Link>
  );
}

const name = (key: 'first_name' | 'last_name', header: string): Column<Customer> => ({
  key,
  header,
  optional: true,
  bar: '70px',
  cell: (row) => <span className="line-clamp-3 max-w-48 min-w-16 font-medium wrap-break-word">{row[key] || '–'}</span>,
});

export const columns: Column<Customer>[] = [
  {
    key: 'signup',
    header: 'Signup Date',
    sort: 'signup_date',
    optional: true,
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.signup_date} className="text-sm text-muted" />,
  },
  { ...name('first_name', 'First Name'), sort: 'name' },
  name('last_name', 'Last Name'),
  {
    key: 'email',
    header: 'Email',
    sort: 'email',
    bar: '160px',
    className: 'w-full',
    cell: (row) => (
      <Link
        to="/dashboard/customers/$customerId"
        params={{ customerId: row.id }}
        data-row-link
        className="block max-w-full min-w-40 rounded-sm py-1.5 break-all decoration-line-strong underline-offset-4 hover:underline"
      >
        {row.email}
      </Link>
    ),
  },
  {
    key: 'id',
    header: 'ID',
    optional: true,
    bar: '110px',
    cell: (row) => (
      <span className="flex items-center gap-0.5">
        <code className="font-mono text-xs text-muted" title={row.id}>
          {row.id.slice(0, 8)}…
        </code>
        <CopyButton compact text={row.id} what={`the id of ${row.email}`} className="h-6! px-1.5!" />
      </span>
    ),
  },
  {
    key: 'login',
    header: 'Last Login',
    sort: 'last_login',
    optional: true,
    bar: '70px',
    cell: (row) => <LastLogin at={row.last_login} />,
  },
  { key: 'newest', header: 'Newest serial', extra: true, bar: '160px', cell: (row) => <NewestSerial row={row} /> },
  {
    key: 'serials',
    header: 'Serials',
    extra: true,
    bar: '24px',
    className: 'text-right',
    cell: (row) => <span className="figures">{formatCount(row.serials)}</span>,
  },
  {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    bar: '16px',
    className: 'w-10 pl-0! pr-3! text-right',
    cell: (row) => <CustomerActions row={row} />,
  },
];

export function CustomerCard({ row, pick }: { row: Customer; pick: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-1">
        {pick}
        <div className="min-w-0 flex-1">
          <CustomerCell customer={row} rowLink />
        </div>
        <CustomerActions row={row} />
      </div>
      <p className="figures text-sm text-muted">{plural(row.serials, 'serial')}</p>
      <p className="figures flex flex-wrap justify-between gap-x-3 text-sm text-muted">
        <span>
          Signup: <TimeAgo iso={row.signup_date} />
        </span>
        <span>
          Last login: <LastLogin at={row.last_login} />
        </span>
      </p>
    </div>
  );
}
