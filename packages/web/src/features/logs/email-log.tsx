import { formatCount } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import type { SearchOf } from '#lib/navigation/search-params.ts';
import { useSearchHere } from '#lib/navigation/use-search-here.ts';
import type { CustomerEmail } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { BackLink } from '#ui/button.tsx';
import { Filters } from '#ui/lists/filters.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { PageHeader } from '#ui/page.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { emailSearch } from './searches.ts';

const kinds: Record<CustomerEmail['kind'], string> = {
  redemption: 'Redemption',
  my_products: 'My products link',
  seat_code: 'Code for seats',
  customer_changed: 'Address changed',
  order: 'Codes of an order',
  order_link: 'Link to the codes of an order',
  new_version: 'New version',
  account_closed: 'Account closed',
};
const states: Record<CustomerEmail['state'], string> = { queued: 'Queued', sent: 'Sent', failed: 'Failed' };

const looks = {
  sent: {
    tone: 'good',
    words: 'Sent',
    means: 'A mail server accepted it. Whether it reached the inbox is unknown.',
  },
  failed: {
    tone: 'bad',
    words: 'Failed',
    means: 'It was given up or held back. The reason is in its row; mend it, then send it again.',
  },
  again: { tone: 'warn', words: 'Trying again', means: 'The last attempt failed. It will be tried again.' },
  queued: { tone: 'plain', words: 'Queued', means: 'Sent within seconds.' },
} as const;

function State({ row }: { row: CustomerEmail }) {
  const { tone, words, means } = looks[row.state === 'queued' && row.error ? 'again' : row.state];
  return (
    <Badge tone={tone} means={means}>
      {words}
    </Badge>
  );
}

const lastMoment = (row: CustomerEmail) => row.sent_at ?? row.failed_at ?? row.created_at;
const to = (row: CustomerEmail) => row.recipient || 'Address removed';

function What({ row }: { row: CustomerEmail }) {
  return (
    <div className="min-w-40 py-2">
      <span className="block truncate font-medium" title={row.subject}>
        {row.subject}
      </span>
      {row.error && row.state !== 'sent' ? (
        <span className="line-clamp-2 text-sm wrap-anywhere text-bad" title={row.error}>
          {row.error}
        </span>
      ) : (
        <span className="block text-sm text-muted">{kinds[row.kind]}</span>
      )}
    </div>
  );
}

const columns: Column<CustomerEmail>[] = [
  { key: 'state', header: 'State', bar: '56px', cell: (row) => <State row={row} /> },
  { key: 'what', header: 'Email', className: 'w-full max-w-0', bar: '220px', cell: (row) => <What row={row} /> },
  {
    key: 'to',
    header: 'To',
    bar: '160px',
    cell: (row) => (
      <span className="block max-w-64 truncate text-muted" title={row.recipient || undefined}>
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

function EmailCard({ row }: { row: CustomerEmail }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 font-medium wrap-anywhere">{row.subject}</span>
        <State row={row} />
      </div>
      <span className="text-sm break-all text-muted">{to(row)}</span>
      {row.error && row.state !== 'sent' ? <span className="text-sm wrap-anywhere text-bad">{row.error}</span> : null}
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span>{kinds[row.kind]}</span>
        <TimeAgo iso={lastMoment(row)} />
      </div>
    </div>
  );
}

const emailLog = defineLog({
  title: 'Emails',
  caption: 'Emails to customers',
  one: 'email',
  operation: 'listCustomerEmails',
  pageSize: 50,
  filters: emailSearch,
  as: { to: 'recipient' },
  search: { by: 'to', placeholder: 'The whole address...', label: 'Sent to' },
  choices: [
    { by: 'kind', label: 'Kind', all: 'All kinds', words: kinds, className: 'w-full sm:w-48' },
    { by: 'state', label: 'State', all: 'All states', words: states, className: 'w-full sm:w-40' },
  ],
  columns,
  Card: EmailCard,
  empty: {
    title: 'No emails yet',
    none: 'The first one appears here when somebody redeems a serial.',
    filteredTitle: 'No emails found',
    filtered: () => 'No email in the last 30 days matches. Enter the complete address.',
    clear: 'Clear the filters',
  },
  tall: true,
});

/** Shows the emails that customers were sent, and whether a mail server took them. */
export function EmailLog() {
  useTitle('Emails to customers');
  const log = useLog(emailLog, useSearchHere<SearchOf<typeof emailSearch>>());
  return (
    <>
      <BackLink to="/dashboard/customers" className="mb-5">
        Customers
      </BackLink>
      <PageHeader title="Emails to customers">
        What was sent in your name, and whether a mail server took it. Addresses are removed after 30 days.
      </PageHeader>
      <Filters at={log} />
      <Log log={log} />
    </>
  );
}
