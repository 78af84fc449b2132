import { formatCount } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import type { CustomerEmail } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { BackLink } from '#ui/button.tsx';
import { ChoiceSelect } from '#ui/forms/choice-select.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { FilterRow, searchClass } from '#ui/lists/filter-row.tsx';
import { GrowingPanel } from '#ui/lists/growing-panel.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { PageHeader } from '#ui/page.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useLog } from './use-log.ts';

export interface EmailFilter {
  to: string;
  kind: CustomerEmail['kind'] | undefined;
  state: CustomerEmail['state'] | undefined;
}

interface EmailLogProps {
  filter: EmailFilter;
  onFilter: (filter: EmailFilter) => void;
}

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
const noFilter: EmailFilter = { to: '', kind: undefined, state: undefined };

/** What customers were sent, and whether a mail server took it. */
export function EmailLog({ filter, onFilter }: EmailLogProps) {
  useTitle('Emails to customers');
  const query = {
    ...(filter.to ? { recipient: filter.to } : {}),
    ...(filter.kind ? { kind: filter.kind } : {}),
    ...(filter.state ? { state: filter.state } : {}),
  };
  const log = useLog('listCustomerEmails', { query: { ...query, limit: 50 } });
  const filtered = filter.to !== '' || filter.kind !== undefined || filter.state !== undefined;
  return (
    <>
      <BackLink to="/dashboard/customers" className="mb-5">
        Customers
      </BackLink>
      <PageHeader title="Emails to customers">
        What was sent in your name, and whether a mail server took it. Addresses are removed after 30 days.
      </PageHeader>
      <FilterRow
        chosen={(filter.kind ? 1 : 0) + (filter.state ? 1 : 0)}
        onClear={() => onFilter({ ...noFilter, to: filter.to })}
        search={
          <SearchInput
            value={filter.to}
            onChange={(to) => onFilter({ ...filter, to })}
            placeholder="The whole address..."
            label="Sent to"
            className={searchClass}
          />
        }
      >
        <ChoiceSelect
          label="Kind"
          all="All kinds"
          words={kinds}
          value={filter.kind}
          onChange={(kind) => onFilter({ ...filter, kind })}
          className="w-full sm:w-48"
        />
        <ChoiceSelect
          label="State"
          all="All states"
          words={states}
          value={filter.state}
          onChange={(state) => onFilter({ ...filter, state })}
          className="w-full sm:w-40"
        />
      </FilterRow>
      <GrowingPanel
        list={log.list}
        rows={log.rows}
        failed="Emails couldn't be loaded"
        one="email"
        nothing={{ title: 'No emails yet', text: 'The first one appears here when somebody redeems a serial.' }}
        filtered={
          filtered
            ? {
                title: 'No emails found',
                text: 'No email in the last 30 days matches. Enter the complete address.',
                clear: 'Clear the filters',
                onClear: () => onFilter(noFilter),
              }
            : undefined
        }
      >
        {(rows) => (
          <DataTable
            caption="Emails to customers"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            card={(row) => <EmailCard row={row} />}
            stale={log.list.isPlaceholderData}
            tall
          />
        )}
      </GrowingPanel>
    </>
  );
}

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
