import { type RawBuilder, sql } from 'kysely';
import { SECOND } from '#platform/clock.ts';
import { tables, type WebhooksDb } from '../tables.ts';
import { wakeWorkers } from './wake.ts';

/** How long nobody else sends to an endpoint, by the database's clock: those of processes may differ. */
export const LEASE_MS = 30 * SECOND;
const LEASED = sql`now() + interval '${sql.lit(LEASE_MS)} ms'`;

/**
 * When the first of what waits for endpoint `e` is due: one step of the index for each endpoint that is on, however much waits,
 * and whatever the planner believes of the tables' size.
 */
const FIRST = sql`(select d.next_attempt_at as at from webhook_deliveries d
  where d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state = 'waiting' order by d.next_attempt_at limit 1) first`;

const IS_FREE = sql`(e.leased_by is null or e.leased_until <= now())`;

/**
 * The commit does not wait for the disk: should the database's machine fail in that moment, what was sent is sent again with
 * the same id, as after any other crash.
 */
export const SOON = sql`(select set_config('synchronous_commit', 'off', true)) is not null`;

/** Those whose turn was the longest ago come first. */
const ready = (which: RawBuilder<unknown>, now: Date, most: number) => sql`
  (select e.developer_id, e.id from webhook_endpoints e cross join lateral ${FIRST}
   where e.enabled and ${which} and ${IS_FREE} and first.at <= ${now} order by e.leased_until nulls first limit ${most})`;

const READY = tables.named(
  'ready',
  (_, now: Date, quick: number, slow: number) => sql<Key>`
    /* across tenants: the worker sends for all accounts */
    ${ready(sql`not e.slow`, now, quick)} union all ${ready(sql`e.slow`, now, slow)}`,
);

/** Of two processes that take the same one, one gets it: the other waits for that, and finds it leased. */
const TAKE = tables.named(
  'lease',
  (_, accounts: string[], ids: string[], holder: string) => sql<Leased>`
    update webhook_endpoints e set leased_by = ${holder}, leased_until = ${LEASED}
    from unnest(${accounts}::uuid[], ${ids}::uuid[]) as o (developer_id, id)
    where e.developer_id = any(${accounts}::uuid[]) and (e.developer_id, e.id) = (o.developer_id, o.id)
      and e.enabled and ${IS_FREE} and ${SOON}
    returning e.developer_id, e.id, e.slow, e.first_failure_at is null and e.last_success_at is not null as answers`,
);

interface Key {
  developer_id: string;
  id: string;
}

/** An endpoint to which nobody else sends for the time of a lease. */
export interface Leased extends Key {
  slow: boolean;
  /** It has answered, and its last answer was a good one. */
  answers: boolean;
}

/** Takes endpoints that have something due and belong to no process that lives. */
export async function takeLeases(
  db: WebhooksDb,
  { now, holder, quick, slow }: { now: Date; holder: string; quick: number; slow: number },
): Promise<Leased[]> {
  const found = await READY(db, now, quick, slow);
  if (found.length === 0) return [];
  // a transaction is repeated should it and another process wait for each other
  return db.work({ tx: true }, (tx) =>
    TAKE(
      tx,
      found.map(({ developer_id }) => developer_id),
      found.map(({ id }) => id),
      holder,
    ),
  );
}

interface Owner {
  developerId: string;
  id: string;
}

const RENEW = tables.named(
  'renewal',
  (_, accounts: string[], ids: string[], holder: string) => sql<{ id: string }>`
    update webhook_endpoints e set leased_until = ${LEASED}
    from unnest(${accounts}::uuid[], ${ids}::uuid[]) as o (developer_id, id)
    where e.developer_id = any(${accounts}::uuid[]) and (e.developer_id, e.id) = (o.developer_id, o.id)
      and e.leased_by = ${holder} and ${SOON}
    returning e.id`,
);

/** @returns those that still belong to the holder. */
export async function renewLeases(db: WebhooksDb, holder: string, owned: readonly Owner[]): Promise<Set<string>> {
  const rows = await RENEW(db, ...keysOf(owned), holder);
  return new Set(rows.map(({ id }) => id));
}

const END = tables.named(
  'lease_ended',
  (_, accounts: string[], ids: string[], holder: string) => sql<{ id: string }>`
    update webhook_endpoints e set leased_by = null, leased_until = now()
    from unnest(${accounts}::uuid[], ${ids}::uuid[]) as o (developer_id, id)
    where e.developer_id = any(${accounts}::uuid[]) and (e.developer_id, e.id) = (o.developer_id, o.id)
      and e.leased_by = ${holder} and ${SOON}
    returning e.id`,
);

/** @param unfinished something may be left to send: the other processes look at once. */
export async function endLeases(
  db: WebhooksDb,
  holder: string,
  { owned, unfinished }: { owned: readonly Owner[]; unfinished: boolean },
): Promise<void> {
  if (owned.length === 0) return;
  const ended = await END(db, ...keysOf(owned), holder);
  if (unfinished && ended.length > 0) await wakeWorkers(db);
}

const keysOf = (owned: readonly Owner[]): [accounts: string[], ids: string[]] => [
  owned.map(({ developerId }) => developerId),
  owned.map(({ id }) => id),
];

const NEXT = tables.named(
  'next',
  (_, holder: string, busy: readonly string[]) => sql<{ at: Date | null; lease_ms: number | null }>`
    /* across tenants: the worker sends for all accounts */
    select min(first.at) filter (where not theirs.is) as at,
      (extract(epoch from min(e.leased_until) filter (where theirs.is) - now()) * 1000)::float8 as lease_ms
    from webhook_endpoints e cross join lateral ${FIRST} cross join lateral (
      select e.leased_by is not null and e.leased_by <> ${holder} and e.leased_until > now() as is) theirs
    where e.enabled and e.id <> all(${busy}::uuid[])`,
);

interface Next {
  /** When something is due that no other process is to send; null: nothing is. */
  at: Date | null;
  /** In how many milliseconds the lease of another process ends unless that renews it; null: there is none. */
  leaseMs: number | null;
}

/** @param busy endpoints that are looked at anyhow, when their requests end. */
export async function nextDue(db: WebhooksDb, holder: string, busy: readonly string[]): Promise<Next> {
  const [next] = await NEXT(db, holder, busy);
  return { at: next?.at ?? null, leaseMs: next?.lease_ms ?? null };
}

/** When the oldest of all that waits was or is due; null: nothing waits. */
export async function oldestDue(db: WebhooksDb): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`/* across tenants: figures */
    select min(first.at) as at from webhook_endpoints e cross join lateral ${FIRST} where e.enabled`.execute(db);
  return rows[0]?.at ?? null;
}
