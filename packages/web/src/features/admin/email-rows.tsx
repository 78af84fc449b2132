import type { AnswerOf } from '@tonerow/sdk';
import { formatCount } from '#lib/format/format.ts';
import { Badge } from '#ui/badge.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

export type SentEmail = AnswerOf<'listEmails'>['rows'][number];

const kinds: Record<string, string> = {
  account: 'Account',
  redemption: 'Redemption, to the customer',
  my_products: 'My products',
  seat_code: 'Code for the seats of a license',
  developer_redemptions: 'Redemptions, to the developer',
  sale: 'Codes sold by hand, to the customer',
  order: 'Codes of a shop’s order, to the customer',
  order_link: 'Link to the codes of a shop’s order',
  low_serials: 'Low serials',
  announcement: 'Announcement',
  test: 'Test email',
};

function State({ row }: { row: SentEmail }) {
  if (row.sent_at)
    return (
      <Badge tone="good" means="A mail server accepted it. Whether it was read is unknown.">
        Sent
      </Badge>
    );
  if (row.failed_at)
    return (
      <Badge tone="bad" means="Not delivered. The reason is next to the subject.">
        Failed
      </Badge>
    );
  return row.error ? (
    <Badge tone="warn" means="The last attempt failed. It will be tried again.">
      Trying again
    </Badge>
  ) : (
    <Badge means="Waiting to be sent.">Queued</Badge>
  );
}

/** When it was sent or failed for good; until then, when it was queued. */
const lastMoment = (row: SentEmail) => row.sent_at ?? row.failed_at ?? row.created_at;
const to = (row: SentEmail) => row.recipient || 'Removed after 30 days';
const tries = (row: SentEmail) => (row.attempts === 1 ? '1 try' : `${formatCount(row.attempts)} tries`);

export const emailColumns: Column<SentEmail>[] = [
  { key: 'state', header: 'State', bar: '56px', cell: (row) => <State row={row} /> },
  {
    key: 'subject',
    header: 'Subject',
    className: 'w-full max-w-0',
    bar: '220px',
    cell: (row) => (
      <div className="min-w-40 py-2">
        <span className="block truncate font-medium" title={row.subject}>
          {row.subject}
        </span>
        {row.error ? (
          <span className="line-clamp-2 text-sm wrap-anywhere text-bad" title={row.error}>
            {row.error}
          </span>
        ) : (
          <span className="block text-sm text-muted">{kinds[row.kind] ?? row.kind}</span>
        )}
      </div>
    ),
  },
  {
    key: 'to',
    header: 'To',
    bar: '160px',
    cell: (row) => (
      <span className="block max-w-56 truncate text-muted" title={row.recipient || undefined}>
        {to(row)}
      </span>
    ),
  },
  {
    key: 'tries',
    header: 'Tries',
    className: 'text-right',
    bar: '16px',
    cell: (row) => <span className="figures">{formatCount(row.attempts)}</span>,
  },
  {
    key: 'time',
    header: 'Time',
    bar: '80px',
    cell: (row) => <TimeAgo iso={lastMoment(row)} className="text-sm text-muted" />,
  },
];

export function EmailCard({ row }: { row: SentEmail }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 font-medium wrap-anywhere">{row.subject}</span>
        <State row={row} />
      </div>
      <span className="text-sm break-all text-muted">{to(row)}</span>
      {row.error ? <span className="text-sm wrap-anywhere text-bad">{row.error}</span> : null}
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span className="figures min-w-0">
          {kinds[row.kind] ?? row.kind} · {tries(row)}
        </span>
        <TimeAgo iso={lastMoment(row)} />
      </div>
    </div>
  );
}
