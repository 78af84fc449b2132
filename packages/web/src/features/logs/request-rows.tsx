import { formatCount } from '../../lib/format.ts';
import type { ApiRequest } from '../../lib/types.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

const withWhat = (row: ApiRequest) => row.credential_name ?? row.credential_id;
const fromWhere = (row: ApiRequest) => row.ip ?? 'A plugin';
const took = (row: ApiRequest) => `${formatCount(row.ms)} ms`;

function Status({ row }: { row: ApiRequest }) {
  const tone = row.status >= 500 ? 'bad' : row.status >= 400 ? 'warn' : 'good';
  return <Badge tone={tone}>{row.status}</Badge>;
}

/** The others of a busy minute, or the request's id, which support asks for. */
const below = (row: ApiRequest) =>
  row.omitted > 0 ? `and ${formatCount(row.omitted)} more in that minute` : `Request ${row.request_id}`;

function What({ row }: { row: ApiRequest }) {
  const line = `${row.method} ${row.route}`;
  return (
    <div className="min-w-40 py-2">
      <span className="figures block truncate font-medium" title={line}>
        {line}
      </span>
      <span className="figures block truncate text-sm text-muted" title={`Request ${row.request_id}`}>
        {below(row)}
      </span>
    </div>
  );
}

export const requestColumns: Column<ApiRequest>[] = [
  { key: 'what', header: 'Request', className: 'w-full max-w-0', bar: '220px', cell: (row) => <What row={row} /> },
  { key: 'status', header: 'Status', bar: '50px', cell: (row) => <Status row={row} /> },
  {
    key: 'took',
    header: 'Took',
    bar: '50px',
    cell: (row) => <span className="figures text-sm whitespace-nowrap text-muted">{took(row)}</span>,
  },
  {
    key: 'with',
    header: 'With',
    bar: '110px',
    cell: (row) => (
      <span className="block max-w-48 truncate text-sm text-muted" title={withWhat(row)}>
        {withWhat(row)}
      </span>
    ),
  },
  {
    key: 'from',
    header: 'From',
    bar: '90px',
    cell: (row) => <span className="figures text-sm whitespace-nowrap text-muted">{fromWhere(row)}</span>,
  },
  { key: 'at', header: 'Time', bar: '80px', cell: (row) => <TimeAgo iso={row.at} className="text-sm text-muted" /> },
];

export function RequestCard({ row }: { row: ApiRequest }) {
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start justify-between gap-3">
        <span className="figures min-w-0 font-medium break-words">
          {row.method} {row.route}
        </span>
        <Status row={row} />
      </div>
      <span className="figures text-sm break-all text-muted">{below(row)}</span>
      <span className="figures text-sm break-words text-muted">
        {withWhat(row)} · {fromWhere(row)} · {took(row)} · <TimeAgo iso={row.at} />
      </span>
    </div>
  );
}
