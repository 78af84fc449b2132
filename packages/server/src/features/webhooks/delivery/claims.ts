import type { Database, Prepared } from '../../../platform/db/database.ts';
import type { SignatureKind } from '../endpoints/endpoints.schemas.ts';
import type { Trigger } from './deliveries.schemas.ts';

/** A delivery that this process sends now. */
export interface Claimed {
  developer_id: string;
  id: string;
  lease: string;
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

/** What is under way. Those that have ended, and are being noted in the same moment, are not. */
const BUSY = `(select count(*) from webhook_deliveries f
  where f.developer_id = e.developer_id and f.endpoint_id = e.id and f.lease is not null and f.next_attempt_at > $1
    and f.id <> all($7::uuid[]))`;

/**
 * Takes what is due, by endpoint: at most so many at once of each, one of a slow one, and those that have the fewest under way
 * first. A row that is claimed is due again when its lease ends, so that a killed worker's claims come back.
 */
const CLAIM: Prepared = {
  name: 'webhook_claim',
  text: `/* across tenants: the worker sends for all accounts */
  with recursive ${WAITING}, ready as (
    select e.developer_id, e.id, e.slow, busy.n as busy
    from waiting w join webhook_endpoints e on e.id = w.endpoint_id and e.enabled and (not e.slow or $4::int > 0)
      cross join lateral (select ${BUSY} as n) busy
    where busy.n < case when e.slow then 1 else $3::int end and exists (
      select 1 from webhook_deliveries d where d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state = 'waiting'
        and d.next_attempt_at <= $1)
    order by busy.n, random() limit $2
    for no key update of e skip locked
  ), numbered as (
    select r.*, row_number() over (partition by r.slow order by r.busy) as nth from ready r
  ), due as (
    select d.developer_id, d.id, n.busy from numbered n cross join lateral (
      select d.developer_id, d.id from webhook_deliveries d
      where d.developer_id = n.developer_id and d.endpoint_id = n.id and d.state = 'waiting' and d.next_attempt_at <= $1
      order by d.next_attempt_at limit case when n.slow then 1 else $3::int end - n.busy
      for no key update skip locked) d
    where not n.slow or n.nth <= $4 order by n.busy limit $2
  )
  update webhook_deliveries d set lease = $5, next_attempt_at = $6
  from due, webhook_endpoints e, webhook_events v
  where (d.developer_id, d.id) = (due.developer_id, due.id) and (e.developer_id, e.id) = (d.developer_id, d.endpoint_id)
    and (v.developer_id, v.id) = (d.developer_id, d.event_id) and ${SOON}
  returning d.developer_id, d.id, d.lease, d.endpoint_id, d.event_id, d.position, d.trigger, d.delivered_at, v.type, v.occurred_at,
    v.data, v.personal, v.is_test, e.url, e.signature, e.include_personal, e.secret, e.previous_secret, e.previous_until,
    e.first_failure_at, e.last_success_at, e.slow`,
};

export interface Room {
  /** Deliveries of this process that have ended, and whose end may not be written yet. */
  ended: readonly string[];
  /** How many this process may send at most. */
  slots: number;
  /** How many of them to slow endpoints. */
  slowSlots: number;
  perEndpoint: number;
}

export function claim(
  db: Database,
  { slots, slowSlots, perEndpoint, ended }: Room,
  { now, lease, until }: { now: Date; lease: string; until: Date },
): Promise<Claimed[]> {
  return db.prepared<Claimed>(CLAIM, [now, slots, perEndpoint, Math.max(0, slowSlots), lease, until, ended]);
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

/** Gives a claim back that was not answered: the process stops. */
export async function giveBack(db: Database, { developer_id, id, lease }: Claimed, now: Date): Promise<void> {
  await db.query(
    'update webhook_deliveries set lease = null, next_attempt_at = $4 where developer_id = $1 and id = $2 and lease = $3',
    [developer_id, id, lease, now],
  );
}
