import { formatMoney } from '#lib/format/format.ts';
import type { BillingLogRow } from '#lib/types.ts';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { LogStatus } from './log-rows.tsx';
import { actionOf } from './words.ts';

function By({ row }: { row: BillingLogRow }) {
  if (row.actor_id === null) return <span className="text-muted">Server</span>;
  if (row.actor) {
    return (
      <span className="flex max-w-56 min-w-0 flex-col">
        <span className="truncate">{row.actor.name || 'Admin'}</span>
        <span className="truncate text-sm text-muted" title={row.actor.email}>
          {row.actor.email}
        </span>
      </span>
    );
  }
  // the account was deleted since
  return (
    <span className="whitespace-nowrap">
      Admin{' '}
      <code className="font-mono text-xs" title={row.actor_id}>
        {row.actor_id.slice(0, 8)}…
      </code>
    </span>
  );
}

const columns: Column<BillingLogRow>[] = [
  { key: 'time', header: 'Timestamp', cell: (row) => <TimeAgo iso={row.created_at} className="text-sm" /> },
  {
    key: 'action',
    header: 'Action',
    cell: (row) => <span className="figures whitespace-nowrap">{actionOf(row)}</span>,
  },
  { key: 'status', header: 'Status', cell: (row) => <LogStatus row={row} /> },
  {
    key: 'amount',
    header: 'Amount',
    className: 'text-right',
    cell: (row) => <span className="figures">{formatMoney(row.amount)}</span>,
  },
  { key: 'by', header: 'By', cell: (row) => <By row={row} /> },
  {
    key: 'error',
    header: 'Error',
    className: 'w-full max-w-0',
    cell: (row) => (
      <span className="line-clamp-2 min-w-40 text-sm wrap-anywhere text-bad" title={row.error_message ?? undefined}>
        {row.error_message}
      </span>
    ),
  },
];

export function StoryLog({ logs }: { logs: BillingLogRow[] }) {
  return (
    <Panel className="overflow-hidden">
      {logs.length === 0 ? (
        <Empty title="No attempts yet" className="py-10">
          The first charge and every decision are listed here.
        </Empty>
      ) : (
        <DataTable
          caption="Attempts and decisions"
          columns={columns}
          rows={logs}
          rowKey={(row) => row.id}
          card={(row) => (
            <div className="flex flex-col gap-1">
              <span className="flex items-center justify-between gap-3">
                <span className="figures font-medium">{actionOf(row)}</span>
                <LogStatus row={row} />
              </span>
              {row.error_message ? <span className="text-sm wrap-anywhere text-bad">{row.error_message}</span> : null}
              <span className="figures flex flex-wrap justify-between gap-x-3 text-sm text-muted">
                <TimeAgo iso={row.created_at} />
                <By row={row} />
              </span>
            </div>
          )}
        />
      )}
    </Panel>
  );
}
