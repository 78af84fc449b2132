import { formatCount } from '#lib/format/format.ts';
import type { ApiRequest } from '#lib/types.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

const withWhat = (row: ApiRequest) => row.credential_name ?? row.credential_id;
const fromWhere = (row: ApiRequest) => row.ip ?? 'A plugin';
const took = (row: ApiRequest) => `${formatCount(row.ms)} ms`;

const refusals: Record<number, string> = {
  400: 'The request was not understood: a field is missing or wrong.',
  401: 'The key or the token is missing, wrong, or has ended.',
  403: 'The key or the token may not do this.',
  404: 'It does not exist, or belongs to another account.',
  409: 'It conflicts with something that exists or has changed since.',
  413: 'The request was too large.',
  422: 'The request was understood, but can’t be done with these values.',
  429: 'Too many requests. Its Retry-After header has the seconds to wait.',
};

/** Explains an HTTP status to the author of a script. */
function answerOf(status: number): { tone: BadgeTone; means: string } {
  if (status >= 500) return { tone: 'bad', means: 'The server could not answer. Sending it again may help.' };
  if (status >= 400) return { tone: 'warn', means: refusals[status] ?? 'The request was refused.' };
  return { tone: 'good', means: 'The request succeeded.' };
}

function Status({ row }: { row: ApiRequest }) {
  const { tone, means } = answerOf(row.status);
  return (
    <Badge tone={tone} means={means}>
      {row.status}
    </Badge>
  );
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
