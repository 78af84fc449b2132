import type { Database, Prepared } from '../../../platform/db/database.ts';
import type { SignatureKind } from '../endpoints/endpoints.schemas.ts';
import type { Trigger } from './deliveries.schemas.ts';

/** A delivery that this process sends now. */
export interface Claimed {
  developer_id: string;
  id: string;
  lease: string;
  /** When its lease ends. */
  until: Date;
  /** When it was due. */
  due_at: Date;
  endpoint_id: string;
  event_id: string;
  position: number;
  trigger: Trigger;
  delivered_at: Date | null;
  type: string;
  occurred_at: Date;
  data: string;
  personal: string | null;
  is_test: boolean;
  url: string;
  signature: SignatureKind;
  include_personal: boolean;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_until: Date | null;
  first_failure_at: Date | null;
  last_success_at: Date | null;
  slow: boolean;
}

/**
 * Every endpoint with something waiting: one step of the index each, however much waits. Those that are off, or were deleted,
 * are passed over.
 */
const WAITING = `waiting as (
    (select d.endpoint_id from webhook_deliveries d where d.state = 'waiting' order by d.endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d where d.state = 'waiting' and d.endpoint_id > w.endpoint_id
      order by d.endpoint_id limit 1)
    from waiting w where w.endpoint_id is not null
  )`;

/**
 * The commit does not wait for the disk: should the database's machine fail in that moment, what was sent is sent again with
 * the same id, as after any other crash.
 */
export const SOON = "(select set_config('synchronous_commit', 'off', true)) is not null";

/** What is claimed, by whichever process. */
const BUSY = `(select count(*) from webhook_deliveries f
  where f.developer_id = e.developer_id and f.endpoint_id = e.id and f.lease is not null and f.next_attempt_at > $1)`;

/**
 * Takes what is due, by endpoint, and those that have the fewest under way first: one of a slow endpoint, as many as it gets
 * requests at once of any other, and more than that of one that answers, if no other process has any of it. A row that is
 * claimed is due again when its lease ends, so that a killed worker's claims come back.
 */
const CLAIM: Prepared = {
  name: 'webhook_claim',
  text: `/* across tenants: the worker sends for all accounts */
  with recursive ${WAITING}, own as (
    select * from unnest($7::uuid[], $8::int[]) as own (endpoint_id, n)
  ), ready as (
    select e.developer_id, e.id, e.slow, busy.n as busy, room.n as room
    from waiting w join webhook_endpoints e on e.id = w.endpoint_id and e.enabled and (not e.slow or $4::int > 0)
      left join own on own.endpoint_id = e.id
      cross join lateral (select ${BUSY} as n) busy
      cross join lateral (select case when e.slow then 1
        when busy.n > coalesce(own.n, 0) or e.first_failure_at is not null or e.last_success_at is null then $3::int
        else $9::int end - busy.n as n) room
    where room.n > 0 and exists (
      select 1 from webhook_deliveries d where d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state = 'waiting'
        and d.next_attempt_at <= $1)
    order by busy.n, random() limit $2
    for no key update of e skip locked
  ), numbered as (
    select r.*, row_number() over (partition by r.slow order by r.busy) as nth, count(*) over () as ready from ready r
  ), due as (
    select d.developer_id, d.id, d.next_attempt_at as due_at, n.busy from numbered n cross join lateral (
      select d.developer_id, d.id, d.next_attempt_at from webhook_deliveries d
      where d.developer_id = n.developer_id and d.endpoint_id = n.id and d.state = 'waiting' and d.next_attempt_at <= $1
      order by d.next_attempt_at limit least(n.room, ($2::int + n.ready - 1) / n.ready)
      for no key update skip locked) d
    where not n.slow or n.nth <= $4 order by n.busy limit $2
  )
  update webhook_deliveries d set lease = $5, next_attempt_at = $6
  from due, webhook_endpoints e, webhook_events v
  where (d.developer_id, d.id) = (due.developer_id, due.id) and (e.developer_id, e.id) = (d.developer_id, d.endpoint_id)
    and (v.developer_id, v.id) = (d.developer_id, d.event_id) and ${SOON}
  returning d.developer_id, d.id, d.lease, d.next_attempt_at as until, due.due_at, d.endpoint_id, d.event_id, d.position, d.trigger,
    d.delivered_at, v.type, v.occurred_at, v.data, v.personal, v.is_test, e.url, e.signature, e.include_personal, e.secret,
    e.previous_secret, e.previous_until, e.first_failure_at, e.last_success_at, e.slow`,
};

export interface Room {
  /** How many this process may claim now. */
  most: number;
  /** How many of them to slow endpoints. */
  slow: number;
  /** Requests to an endpoint at once, of all processes together. */
  perEndpoint: number;
  /** How many of an endpoint that answers one process may hold. */
  ahead: number;
  /** By endpoint, how many this process holds. */
  held: ReadonlyMap<string, number>;
}

export function claim(
  db: Database,
  { most, slow, perEndpoint, ahead, held }: Room,
  { now, lease, until }: { now: Date; lease: string; until: Date },
): Promise<Claimed[]> {
  return db.prepared<Claimed>(CLAIM, [
    now,
    most,
    perEndpoint,
    Math.max(0, slow),
    lease,
    until,
    [...held.keys()],
    [...held.values()],
    ahead,
  ]);
}

const NEXT: Prepared = {
  name: 'webhook_next',
  text: `/* across tenants: the worker sends for all accounts */
    with recursive ${WAITING}
    select min(first.next_attempt_at) as at from waiting w join webhook_endpoints e on e.id = w.endpoint_id and e.enabled
      cross join lateral (select d.next_attempt_at from webhook_deliveries d
        where d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state = 'waiting' order by d.next_attempt_at limit 1) first`,
};

/** When something is due next; null: nothing waits. */
export async function nextDue(db: Database): Promise<Date | null> {
  const [next] = await db.prepared<{ at: Date | null }>(NEXT, []);
  return next?.at ?? null;
}

const BACK: Prepared = {
  name: 'webhook_given_back',
  text: `/* across tenants: the worker sends for all accounts */
    update webhook_deliveries d set lease = null, next_attempt_at = o.due_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[]) as o (developer_id, id, lease, due_at)
    where (d.developer_id, d.id) = (o.developer_id, o.id) and d.lease = o.lease and ${SOON}`,
};

/** Gives claims back that were not sent, or not answered because the process stops: they are due as before. */
export async function giveBack(db: Database, claims: readonly Claimed[]): Promise<void> {
  if (claims.length === 0) return;
  await db.prepared(BACK, [
    claims.map((each) => each.developer_id),
    claims.map((each) => each.id),
    claims.map((each) => each.lease),
    claims.map((each) => each.due_at),
  ]);
}
