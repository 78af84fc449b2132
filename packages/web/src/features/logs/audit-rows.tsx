import type { AuditEntry } from '#lib/types.ts';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { actionWords, withWhat } from './audit-words.ts';

/** An action that this version of the dashboard doesn't know is shown by the server's words. */
const wordsOf = (row: AuditEntry) => (actionWords as Partial<Record<string, string>>)[row.action] ?? row.summary;

function What({ row }: { row: AuditEntry }) {
  return (
    <div className="min-w-40 py-2">
      <span className="block font-medium">{wordsOf(row)}</span>
      {row.detail ? (
        <span className="block truncate text-sm text-muted" title={row.detail}>
          {row.detail}
        </span>
      ) : null}
    </div>
  );
}

export const auditColumns: Column<AuditEntry>[] = [
  { key: 'what', header: 'Action', className: 'w-full max-w-0', bar: '200px', cell: (row) => <What row={row} /> },
  {
    key: 'with',
    header: 'With',
    bar: '110px',
    cell: (row) => (
      <span className="block max-w-56 truncate text-sm text-muted" title={withWhat(row)}>
        {withWhat(row)}
      </span>
    ),
  },
  {
    key: 'from',
    header: 'From',
    bar: '110px',
    cell: (row) => (
      <span className="figures block text-sm whitespace-nowrap text-muted">
        {row.ip ?? 'The server'}
        {row.ip === null ? null : <span className="block">{row.device}</span>}
      </span>
    ),
  },
  {
    key: 'at',
    header: 'Time',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.at} className="text-sm text-muted" />,
  },
];

export function AuditCard({ row }: { row: AuditEntry }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 font-medium wrap-anywhere">{wordsOf(row)}</span>
        <TimeAgo iso={row.at} className="shrink-0 text-sm text-muted" />
      </div>
      {row.detail ? <span className="text-sm wrap-anywhere">{row.detail}</span> : null}
      <span className="figures text-sm wrap-anywhere text-muted">
        {[withWhat(row), row.ip ?? 'The server', row.ip && row.device].filter(Boolean).join(' · ')}
      </span>
    </div>
  );
}
