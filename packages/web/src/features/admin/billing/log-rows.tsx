import { Link } from '@tanstack/react-router';
import { formatMoney } from '#lib/format/format.ts';
import type { BillingLogRow } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { TextLink } from '#ui/button.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { actionOf } from './words.ts';

export function LogStatus({ row }: { row: BillingLogRow }) {
  return row.status === 'failed' ? (
    <Badge tone="bad" means="It did not work, for the reason in its message.">
      failed
    </Badge>
  ) : (
    <Badge tone="good" means="It was done.">
      success
    </Badge>
  );
}

function StoryLink({ row }: { row: BillingLogRow }) {
  return (
    <TextLink to="/admin/billing/$id" params={{ id: row.statement_id }} className="figures whitespace-nowrap">
      {row.number}
    </TextLink>
  );
}

/** Shows that developer's entries only. */
function DeveloperLink({ row }: { row: BillingLogRow }) {
  return (
    <Link
      to="/admin/billing"
      search={{ user: row.user_id }}
      title={row.user_id}
      aria-label={`Only entries of developer ${row.user_id}`}
      className="font-mono text-xs text-muted underline decoration-line-strong underline-offset-4 hover:text-text"
    >
      {row.user_id.slice(0, 8)}…
    </Link>
  );
}

const error = (row: BillingLogRow) => row.error_message ?? '';

export const logColumns: Column<BillingLogRow>[] = [
  { key: 'developer', header: 'Developer ID', bar: '72px', cell: (row) => <DeveloperLink row={row} /> },
  {
    key: 'email',
    header: 'Email',
    className: 'w-2/5 max-w-0',
    bar: '160px',
    cell: (row) => (
      <span className="block min-w-36 truncate" title={row.email}>
        {row.email}
      </span>
    ),
  },
  { key: 'invoice', header: 'Invoice', bar: '72px', cell: (row) => <StoryLink row={row} /> },
  {
    key: 'amount',
    header: 'Amount',
    bar: '56px',
    className: 'text-right',
    cell: (row) => <span className="figures">{formatMoney(row.amount)}</span>,
  },
  {
    key: 'status',
    header: 'Status',
    bar: '64px',
    cell: (row) => (
      <span className="flex flex-col items-start gap-0.5 py-2">
        <LogStatus row={row} />
        <span className="figures text-xs whitespace-nowrap text-muted">{actionOf(row)}</span>
      </span>
    ),
  },
  {
    key: 'error',
    header: 'Error',
    className: 'w-3/5 max-w-0',
    bar: '140px',
    cell: (row) => (
      <span className="line-clamp-2 min-w-40 text-sm wrap-anywhere text-bad" title={error(row) || undefined}>
        {error(row)}
      </span>
    ),
  },
  {
    key: 'time',
    header: 'Timestamp',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.created_at} className="text-sm text-muted" />,
  },
];

export function LogCard({ row }: { row: BillingLogRow }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <StoryLink row={row} />
        <LogStatus row={row} />
      </div>
      <span className="break-all">{row.email}</span>
      {row.error_message ? <span className="text-sm wrap-anywhere text-bad">{row.error_message}</span> : null}
      <div className="figures flex flex-wrap justify-between gap-x-3 text-sm text-muted">
        <span>
          {formatMoney(row.amount)} · {actionOf(row)}
        </span>
        <TimeAgo iso={row.created_at} />
      </div>
      <DeveloperLink row={row} />
    </div>
  );
}
