import type { Database, Prepared } from '#platform/db/database.ts';
import type { SignatureKind } from '../endpoints/endpoints.schemas.ts';
import type { Trigger } from './deliveries.schemas.ts';

/** Where a delivery goes, as its endpoint was when it was read. */
export interface Destination {
  developer_id: string;
  id: string;
  url: string;
  host: string;
  signature: SignatureKind;
  include_personal: boolean;
  include_codes: boolean;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_until: Date | null;
  first_failure_at: Date | null;
  last_success_at: Date | null;
  slow: boolean;
}

/** A delivery that is due. */
export interface Due {
  id: string;
  event_id: string;
  attempts: number;
  position: number;
  trigger: Trigger;
  delivered_at: Date | null;
  type: string;
  occurred_at: Date;
  data: string;
  personal: string | null;
  is_test: boolean;
  to: Destination;
}

/** As an endpoint is stored. */
type Stored = Omit<Destination, 'id' | 'host'>;
type Row = Omit<Due, 'to'> & { endpoint_id: string } & (({ nth: 1 } & Stored) | { nth: 2 });

/** The endpoint's own columns come with the first of its rows, as they are the same for all of them. */
const own = (...columns: string[]) =>
  columns.map((column) => `case when d.nth = 1 then e.${column} end as ${column}`).join(', ');

/** Look-ups one by one, whatever the planner believes of the tables' size. */
const READ: Prepared = {
  name: 'webhook_due',
  text: `/* across tenants: the worker sends for all accounts */
  select e.id as endpoint_id, least(d.nth, 2)::int as nth, d.id, d.event_id, d.attempts, d.position, d.trigger, d.delivered_at, v.type,
    v.occurred_at, v.data, v.personal, v.is_test, ${own(
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
    )}
  from unnest($1::uuid[], $2::uuid[], $3::int[]) as o (developer_id, endpoint_id, most)
    cross join lateral (
      select * from webhook_endpoints e
      where e.developer_id = o.developer_id and e.id = o.endpoint_id and e.enabled and e.leased_by = $4 limit 1) e
    cross join lateral (
      select f.*, row_number() over () as nth from (
        select d.id, d.event_id, d.attempts, d.position, d.trigger, d.delivered_at from webhook_deliveries d
        where d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state = 'waiting' and d.next_attempt_at <= $5
          and d.id <> all($6::uuid[])
        order by d.next_attempt_at limit o.most) f) d
    cross join lateral (
      select v.type, v.occurred_at, v.data, v.personal, v.is_test from webhook_events v
      where v.developer_id = e.developer_id and v.id = d.event_id limit 1) v`,
};

interface Wanted {
  developerId: string;
  id: string;
  /** How many to read. */
  most: number;
}

/** What is due for endpoints that the holder has a lease of, by endpoint, the oldest first. Nothing is written. */
export async function readDue(
  db: Database,
  { holder, now, wanted, known }: { holder: string; now: Date; wanted: readonly Wanted[]; known: Iterable<string> },
): Promise<Map<string, Due[]>> {
  const rows = await db.prepared<Row>(READ, [
    wanted.map(({ developerId }) => developerId),
    wanted.map(({ id }) => id),
    wanted.map(({ most }) => most),
    holder,
    now,
    `{${[...known].join(',')}}`,
  ]);
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
