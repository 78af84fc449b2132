import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { WebhookDelivery } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { ChoiceSelect } from '#ui/forms/choice-select.tsx';
import { Select } from '#ui/forms/select.tsx';
import { GrowingPanel } from '#ui/lists/growing-panel.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useWebhookLinks } from './links.ts';
import { type DeliveriesFilter, deliveriesQuery, eventTypesQuery, webhookQuery } from './webhook-queries.ts';
import { outcomeOf, reasonOf, stateTones, stateWords } from './words.ts';

const everyDelivery: DeliveriesFilter = { state: undefined, type: undefined };

interface DeliveryListProps {
  webhookId: string;
  filter: DeliveriesFilter;
  onFilter: (filter: DeliveriesFilter) => void;
}

/** What was sent to an endpoint, newest first. */
export function DeliveryList({ webhookId, filter: asked, onFilter }: DeliveryListProps) {
  const types = useQuery(eventTypesQuery);
  // an address may name an event that there is not, which the server refuses
  const isUnknown = types.data?.every(({ type }) => type !== asked.type);
  const filter = isUnknown ? { ...asked, type: undefined } : asked;
  const list = useInfiniteQuery({
    ...deliveriesQuery(webhookId, filter),
    enabled: !asked.type || !types.isPending,
  });
  const rows = list.data?.pages.flatMap((page) => page.rows);
  useOutcomes(webhookId, rows);
  const filtered = Boolean(filter.state || filter.type);
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2">
        <ChoiceSelect
          label="State"
          all="Any state"
          words={stateWords}
          value={filter.state}
          onChange={(state) => onFilter({ ...filter, state })}
          className="w-full sm:w-44"
        />
        <Select
          aria-label="Event"
          value={filter.type ?? ''}
          onChange={(event) => onFilter({ ...filter, type: event.target.value || undefined })}
          className="w-full sm:w-56"
        >
          <option value="">Any event</option>
          {(types.data ?? (filter.type ? [{ type: filter.type }] : [])).map(({ type }) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </Select>
      </div>
      <GrowingPanel
        list={list}
        rows={rows}
        failed="Deliveries couldn't be loaded"
        one="delivery"
        many="deliveries"
        nothing={{
          title: 'Nothing sent yet',
          text: 'The first event appears here seconds after it happens. “Send test” makes one at once.',
        }}
        filtered={
          filtered
            ? {
                title: 'No deliveries found',
                text: 'No delivery matches this state and event.',
                clear: 'Clear the filter',
                onClear: () => onFilter(everyDelivery),
              }
            : undefined
        }
      >
        {(shown) => (
          <DataTable
            caption="Deliveries of this webhook"
            columns={columns}
            rows={shown}
            rowKey={(row) => row.id}
            card={(row) => <DeliveryCard row={row} />}
            stale={list.isPlaceholderData}
          />
        )}
      </GrowingPanel>
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
