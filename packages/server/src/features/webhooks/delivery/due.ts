import { sql } from 'kysely';
import type { Columns } from '#platform/db/tables.ts';
import type { StoredEvent } from '../events/event-body.ts';
import { tables, type WebhooksDb } from '../tables.ts';

/** An endpoint, as far as sending to it needs it. */
const OWN = [
  'developer_id',
  'url',
  'signature',
  'include_personal',
  'include_codes',
  'secret',
  'previous_secret',
  'previous_until',
  'first_failure_at',
  'last_success_at',
  'slow',
] as const;

/** As an endpoint is stored. */
type Stored = Columns<'webhook_endpoints', (typeof OWN)[number]>;

/** The destination of a delivery: its endpoint, as it was when it was read. */
export interface Destination extends Stored {
  id: string;
  host: string;
}

/** A delivery that is due. */
export interface Due
  extends Columns<'webhook_deliveries', 'id' | 'event_id' | 'attempts' | 'position' | 'trigger' | 'delivered_at'>,
    StoredEvent {
  to: Destination;
}

type Row = Omit<Due, 'to'> & { endpoint_id: string } & (({ nth: 1 } & Stored) | { nth: 2 });

/** These come with the first of an endpoint's rows, as they are the same for all of them. */
const own = sql.raw(OWN.map((column) => `case when d.nth = 1 then e.${column} end as ${column}`).join(', '));

/** Look-ups one by one, whatever the planner believes of the tables' size. */
const READ = tables.named(
  'due',
  (
    _,
    accounts: string[],
    ids: string[],
    most: number[],
    mostOfAll: number,
    holder: string,
    now: Date,
    known: string,
  ) => sql<Row>`
    /* across tenants: the worker sends for all accounts */
    select e.id as endpoint_id, least(d.nth, 2)::int as nth, d.id, d.event_id, d.attempts, d.position, d.trigger, d.delivered_at,
      v.type, v.occurred_at, v.data, v.personal, v.is_test, ${own}
    from webhook_endpoints e
      join unnest(${accounts}::uuid[], ${ids}::uuid[], ${most}::int[]) as o (developer_id, endpoint_id, most)
        on o.developer_id = e.developer_id and o.endpoint_id = e.id
      cross join lateral (
        select f.*, row_number() over (partition by f.developer_id order by f.next_attempt_at) as nth from (
          select d.developer_id, d.id, d.event_id, d.attempts, d.position, d.trigger, d.delivered_at, d.next_attempt_at
          from webhook_deliveries d
          where d.developer_id = e.developer_id and d.endpoint_id = e.id
            and d.state = 'waiting' and d.next_attempt_at <= ${now} and d.id <> all(${known}::uuid[])
          order by d.next_attempt_at limit ${mostOfAll}::int) f) d
      cross join lateral (
        select v.type, v.occurred_at, v.data, v.personal, v.is_test from webhook_events v
        where v.developer_id = e.developer_id and v.id = d.event_id limit 1) v
    where e.developer_id = any(${accounts}::uuid[]) and e.id = any(${ids}::uuid[]) and e.enabled and e.leased_by = ${holder}
      and d.nth <= o.most`,
);

interface Wanted {
  developerId: string;
  id: string;
  /** How many to read. */
  most: number;
}

/** Reads due deliveries for endpoints that the holder has a lease of, by endpoint, oldest first. Nothing is written. */
export async function readDue(
  db: WebhooksDb,
  { holder, now, wanted, known }: { holder: string; now: Date; wanted: readonly Wanted[]; known: Iterable<string> },
): Promise<Map<string, Due[]>> {
  const rows = await READ(
    db,
    wanted.map(({ developerId }) => developerId),
    wanted.map(({ id }) => id),
    wanted.map(({ most }) => most),
    Math.max(0, ...wanted.map(({ most }) => most)),
    holder,
    now,
    `{${[...known].join(',')}}`,
  );
  const destinations = new Map<string, Destination>();
  for (const row of rows)
    if (row.nth === 1) destinations.set(row.endpoint_id, { ...destinationOf(row), id: row.endpoint_id });
  const found = new Map<string, Due[]>();
  for (const row of rows) {
    const to = destinations.get(row.endpoint_id) as Destination;
    const due = dueOf(row, to);
    const own = found.get(row.endpoint_id);
    if (own) own.push(due);
    else found.set(row.endpoint_id, [due]);
  }
  return found;
}

function destinationOf(row: Stored): Omit<Destination, 'id'> {
  const { developer_id, url, signature, include_personal, include_codes, secret, previous_secret, previous_until } =
    row;
  const { first_failure_at, last_success_at, slow } = row;
  const signing = { signature, secret, previous_secret, previous_until };
  return {
    developer_id,
    url,
    host: new URL(url).host,
    include_personal,
    include_codes,
    first_failure_at,
    last_success_at,
    slow,
    ...signing,
  };
}

function dueOf(row: Row, to: Destination): Due {
  const { id, event_id, attempts, position, trigger, delivered_at, type, occurred_at, data, personal, is_test } = row;
  return { id, event_id, attempts, position, trigger, delivered_at, type, occurred_at, data, personal, is_test, to };
}
