import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { SearchOf } from '#lib/navigation/search-params.ts';
import { useSearchHere } from '#lib/navigation/use-search-here.ts';
import type { WebhookDelivery } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { OpenFilters } from '#ui/lists/narrowed.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { deliverySearch } from './delivery-states.ts';
import { useWebhookLinks } from './links.ts';
import { nextReadIn } from './next-read.ts';
import { eventTypesQuery, webhookQuery } from './webhook-queries.ts';
import { outcomeOf, reasonOf, stateTones, stateWords } from './words.ts';

function EventLink({ row }: { row: WebhookDelivery }) {
  const links = useWebhookLinks();
  return (
    <Link
      to={links.delivery}
      params={{ id: row.endpoint_id, deliveryId: row.id }}
      className="rounded-[3px] font-mono text-sm decoration-line-strong underline-offset-4 hover:underline"
    >
      {row.type}
    </Link>
  );
}

const StateBadge = ({ row }: { row: WebhookDelivery }) => (
  <Badge tone={stateTones[row.state]} means={reasonOf(row)}>
    {stateWords[row.state]}
  </Badge>
);

const columns: Column<WebhookDelivery>[] = [
  {
    key: 'event',
    header: 'Event',
    bar: '140px',
    cell: (row) => (
      <span className="flex items-center gap-2">
        <EventLink row={row} />
        {row.is_test ? <Badge means="Sent by hand with “Send test”: nothing happened.">Test</Badge> : null}
      </span>
    ),
  },
  { key: 'state', header: 'State', bar: '70px', cell: (row) => <StateBadge row={row} /> },
  {
    key: 'answer',
    header: 'Last answer',
    bar: '60px',
    cell: (row) => <span className="text-sm">{outcomeOf(row)}</span>,
  },
  { key: 'attempts', header: 'Attempts', bar: '20px', cell: (row) => <span className="figures">{row.attempts}</span> },
  {
    key: 'next',
    header: 'Next attempt',
    bar: '70px',
    cell: (row) => (row.next_attempt_at ? <TimeAgo iso={row.next_attempt_at} className="text-sm" /> : '–'),
  },
  { key: 'at', header: 'Happened', bar: '70px', cell: (row) => <TimeAgo iso={row.created_at} className="text-sm" /> },
];

function DeliveryCard({ row }: { row: WebhookDelivery }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-3">
        <EventLink row={row} />
        <StateBadge row={row} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
        <span>
          {outcomeOf(row)}
          {row.is_test ? ' · test' : ''}
        </span>
        <TimeAgo iso={row.created_at} />
      </p>
    </div>
  );
}

const deliveryLog = defineLog({
  title: 'Deliveries',
  caption: 'Deliveries of this webhook',
  one: 'delivery',
  many: 'deliveries',
  operation: 'listWebhookDeliveries',
  pageSize: 20,
  filters: deliverySearch,
  choices: [
    { by: 'state', label: 'State', all: 'Any state', words: stateWords, className: 'w-full sm:w-44' },
    { by: 'type', label: 'Event', all: 'Any event', className: 'w-full sm:w-56' },
  ],
  columns,
  Card: DeliveryCard,
  empty: {
    title: 'Nothing sent yet',
    none: 'The first event appears here seconds after it happens. “Send test” makes one at once.',
    filteredTitle: 'No deliveries found',
    filtered: () => 'No delivery matches this state and event.',
  },
});

/** The deliveries to an endpoint, newest first. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const [asked, change] = useSearchHere<SearchOf<typeof deliverySearch>>();
  const types = useQuery(eventTypesQuery);
  // an address may name an event that there is not, which the server refuses
  const isUnknown = types.data?.every(({ type }) => type !== asked.type);
  const filter = isUnknown ? { ...asked, type: undefined } : asked;
  const log = useLog(deliveryLog, [filter, change], {
    path: { id: webhookId },
    enabled: !asked.type || !types.isPending,
    refetchInterval: ({ state: { data } }) => nextReadIn(data?.pages[0]?.rows ?? []),
  });
  useOutcomes(webhookId, log.rows);
  const names = types.data?.map(({ type }) => type) ?? (filter.type ? [filter.type] : []);
  return (
    <>
      <OpenFilters at={log} words={{ type: Object.fromEntries(names.map((name) => [name, name])) }} />
      <Log log={log} />
    </>
  );
}

/** Reads the endpoint again once more attempts were made: its state and its week follow from them. */
function useOutcomes(webhookId: string, rows: WebhookDelivery[] | undefined) {
  const { refetch } = useQuery(webhookQuery(webhookId));
  const attempts = useRef(new Map<string, number>());
  useEffect(() => {
    const before = attempts.current;
    const isNews = (rows ?? []).some(({ id, attempts: now }) => now > (before.get(id) ?? now));
    attempts.current = new Map(rows?.map((row) => [row.id, row.attempts]));
    if (isNews) refetch();
  }, [refetch, rows]);
}
