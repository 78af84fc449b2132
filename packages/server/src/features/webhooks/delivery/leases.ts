import { SECOND } from '#platform/clock.ts';
import type { Database, Prepared } from '#platform/db/database.ts';
import { noticeSql } from '#platform/events.ts';
import { DUE } from './wake.ts';

/** How long nobody else sends to an endpoint, by the database's clock: those of processes may differ. */
export const LEASE_MS = 30 * SECOND;
const LEASED = `now() + interval '${LEASE_MS} ms'`;

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

const FIRST = `(select d.next_attempt_at as at from webhook_deliveries d
      where d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state = 'waiting' order by d.next_attempt_at limit 1) first`;

const LEASED_BY_OTHERS = 'e.leased_by is not null and e.leased_by <> $2 and e.leased_until > now()';

/**
 * The commit does not wait for the disk: should the database's machine fail in that moment, what was sent is sent again with
 * the same id, as after any other crash.
 */
export const SOON = "(select set_config('synchronous_commit', 'off', true)) is not null";

/** Those whose turn was the longest ago come first. */
const ready = (which: string, most: string) => `
    select e.developer_id, e.id from waiting w join webhook_endpoints e on e.id = w.endpoint_id cross join lateral ${FIRST}
    where e.enabled and ${which} and first.at <= $1 and (e.leased_by is null or e.leased_until <= now())
    order by e.leased_until nulls first limit ${most} for no key update of e skip locked`;

const TAKE: Prepared = {
  name: 'webhook_lease',
  text: `/* across tenants: the worker sends for all accounts */
  with recursive ${WAITING}, quick as (${ready('not e.slow', '$3')}
  ), slow as (${ready('e.slow', '$4')}
  ), taken as (
    select * from quick union all select * from slow
  )
  update webhook_endpoints e set leased_by = $2, leased_until = ${LEASED}
  from taken where (e.developer_id, e.id) = (taken.developer_id, taken.id) and ${SOON}
  returning e.developer_id, e.id, e.slow, e.first_failure_at is null and e.last_success_at is not null as answers`,
};

/** An endpoint to which nobody else sends for the time of a lease. */
export interface Leased {
  developer_id: string;
  id: string;
  slow: boolean;
  /** It has answered, and its last answer was a good one. */
  answers: boolean;
}

/** Takes endpoints that have something due and belong to no process that lives. */
export function takeLeases(
  db: Database,
  { now, holder, quick, slow }: { now: Date; holder: string; quick: number; slow: number },
): Promise<Leased[]> {
  return db.prepared<Leased>(TAKE, [now, holder, quick, slow]);
}

interface Owner {
  developerId: string;
  id: string;
}

const keysOf = (owned: readonly Owner[]) => [owned.map(({ developerId }) => developerId), owned.map(({ id }) => id)];

const RENEW: Prepared = {
  name: 'webhook_renewal',
  text: `/* across tenants: the worker sends for all accounts */
    update webhook_endpoints e set leased_until = ${LEASED} from unnest($1::uuid[], $2::uuid[]) as o (developer_id, id)
    where (e.developer_id, e.id) = (o.developer_id, o.id) and e.leased_by = $3 and ${SOON} returning e.id`,
};

/** @returns those that still belong to the holder. */
export async function renewLeases(db: Database, holder: string, owned: readonly Owner[]): Promise<Set<string>> {
  const rows = await db.prepared<{ id: string }>(RENEW, [...keysOf(owned), holder]);
  return new Set(rows.map(({ id }) => id));
}

const END: Prepared = {
  name: 'webhook_lease_ended',
  text: `/* across tenants: the worker sends for all accounts */
    with ended as (
      update webhook_endpoints e set leased_by = null, leased_until = now() from unnest($1::uuid[], $2::uuid[]) as o (developer_id, id)
      where (e.developer_id, e.id) = (o.developer_id, o.id) and e.leased_by = $3 and ${SOON} returning 1
    )
    select ${noticeSql("''", DUE, 'json_build_object()')} where $4 and exists (select 1 from ended)`,
};

/** @param unfinished something may be left to send: the other processes look at once. */
export async function endLeases(
  db: Database,
  holder: string,
  { owned, unfinished }: { owned: readonly Owner[]; unfinished: boolean },
): Promise<void> {
  if (owned.length > 0) await db.prepared(END, [...keysOf(owned), holder, unfinished]);
}

const NEXT: Prepared = {
  name: 'webhook_next',
  text: `/* across tenants: the worker sends for all accounts */
    with recursive ${WAITING}
    select min(first.at) filter (where not theirs.is) as at,
      (extract(epoch from min(e.leased_until) filter (where theirs.is) - now()) * 1000)::float8 as lease_ms
    from waiting w join webhook_endpoints e on e.id = w.endpoint_id and e.enabled and e.id <> all($1::uuid[])
      cross join lateral ${FIRST} cross join lateral (select ${LEASED_BY_OTHERS} as is) theirs`,
};

interface Next {
  /** When something is due that no other process is to send; null: nothing is. */
  at: Date | null;
  /** In how many milliseconds the lease of another process ends unless that renews it; null: there is none. */
  leaseMs: number | null;
}

/** @param busy endpoints that are looked at anyhow, when their requests end. */
export async function nextDue(db: Database, holder: string, busy: readonly string[]): Promise<Next> {
  const [next] = await db.prepared<{ at: Date | null; lease_ms: number | null }>(NEXT, [busy, holder]);
  return { at: next?.at ?? null, leaseMs: next?.lease_ms ?? null };
}

/** When the oldest of all that waits was or is due; null: nothing waits. */
export async function oldestDue(db: Database): Promise<Date | null> {
  const [oldest] = await db.query<{ at: Date | null }>(
    `/* across tenants: figures */ with recursive ${WAITING}
     select min(first.at) as at from waiting w join webhook_endpoints e on e.id = w.endpoint_id and e.enabled
       cross join lateral ${FIRST}`,
  );
  return oldest?.at ?? null;
}
