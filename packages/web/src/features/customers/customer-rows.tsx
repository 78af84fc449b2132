import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plural } from '../../lib/format.ts';
import type { Customer } from '../../lib/types.ts';
import { cn } from '../../ui/cn.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Column } from '../../ui/table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { nameOf } from './names.ts';

/** The email address is the link of its row; the names beside it lead there too, without a tab stop of their own. */
function ToCustomer({ row, again, children }: { row: Customer; again?: boolean; children: ReactNode }) {
  return (
    <Link
      to="/dashboard/customers/$customerId"
      params={{ customerId: row.id }}
      {...(again ? { tabIndex: -1 } : {})}
      className={cn(
        'block max-w-60 truncate rounded-sm hover:underline hover:underline-offset-4',
        !again && 'font-medium',
      )}
    >
      {children}
    </Link>
  );
}

/** The end of the id, where ids made in the same moment differ. */
const shortId = (id: string) => id.slice(-8);

function ShortId({ id }: { id: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="font-mono text-sm text-muted" title={id}>
        …{shortId(id)}
      </code>
      <CopyButton compact text={id} what={`id ending in ${shortId(id)}`} className="h-7" />
    </span>
  );
}

const name = (row: Customer, value: string | null) =>
  value ? (
    <ToCustomer row={row} again>
      {value}
    </ToCustomer>
  ) : (
    '–'
  );

function LastLogin({ at }: { at: string | null }) {
  return at ? <TimeAgo iso={at} className="text-sm text-muted" /> : <span className="text-sm text-muted">Never</span>;
}

export const columns: Column<Customer>[] = [
  {
    key: 'signup',
    header: 'Signup Date',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.signup_date} className="text-sm text-muted" />,
  },
  { key: 'first', header: 'First Name', bar: '60px', cell: (row) => name(row, row.first_name) },
  { key: 'last', header: 'Last Name', bar: '80px', cell: (row) => name(row, row.last_name) },
  { key: 'email', header: 'Email', bar: '160px', cell: (row) => <ToCustomer row={row}>{row.email}</ToCustomer> },
  { key: 'id', header: 'ID', bar: '120px', cell: (row) => <ShortId id={row.id} /> },
  { key: 'login', header: 'Last Login', bar: '70px', cell: (row) => <LastLogin at={row.last_login} /> },
];

export function CustomerCard({ row }: { row: Customer }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="truncate font-medium">{nameOf(row) ?? 'No name'}</span>
        <TimeAgo iso={row.signup_date} className="shrink-0 text-sm text-muted" />
      </div>
      <ToCustomer row={row}>{row.email}</ToCustomer>
      <p className="figures text-sm text-muted">
        {plural(row.serials, 'serial')} · Last login: <LastLogin at={row.last_login} />
      </p>
      <div className="-mr-2 flex items-center justify-between gap-3 text-sm text-muted">
        <span>ID</span>
        <ShortId id={row.id} />
      </div>
    </div>
  );
}
