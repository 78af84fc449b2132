import { type RawBuilder, sql } from 'kysely';
import { SECOND } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import { tables, type WebhooksDb } from '../tables.ts';
import { wakeWorkers } from './wake.ts';

/** How long nobody else sends to an endpoint, by the database's clock: those of processes may differ. */
export const LEASE_MS = 30 * SECOND;
const LEASED = sql`now() + interval '${sql.lit(LEASE_MS)} ms'`;

/** Conditions on the endpoints `e` and the deliveries `d` to look at. */
interface Scope {
  e: RawBuilder<unknown>;
  d: RawBuilder<unknown>;
}

const ALL: Scope = { e: sql`/* across tenants: the worker sends for all accounts */ true`, d: sql`true` };
const scopeOf = (accounts: readonly string[]): Scope => ({
  e: sql`e.developer_id = any(${accounts}::uuid[])`,
  d: sql`d.developer_id = any(${accounts}::uuid[])`,
});

/**
 * When the first of what waits for endpoint `e` is due: one step of the index for each endpoint that is on, however much waits,
 * and whatever the planner believes of the tables' size.
 */
const first = ({ d }: Scope) => sql`(select d.next_attempt_at as at from webhook_deliveries d
  where ${d} and d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state = 'waiting'
  order by d.next_attempt_at limit 1) first`;

const IS_FREE = sql`(e.leased_by is null or e.leased_until <= now())`;

/**
 * The commit does not wait for the disk: should the database's machine fail in that moment, what was sent is sent again with
 * the same id, as after any other crash.
 */
export const SOON = sql`(select set_config('synchronous_commit', 'off', true)) is not null`;

const ready = (scope: Scope, now: Date, quick: number, slow: number) => {
  // those whose turn was the longest ago come first
  const some = (which: RawBuilder<unknown>, most: number) => sql`
    (select e.developer_id, e.id from webhook_endpoints e cross join lateral ${first(scope)}
     where ${scope.e} and e.enabled and ${which} and ${IS_FREE} and first.at <= ${now}
     order by e.leased_until nulls first limit ${most})`;
  return sql<Key>`${some(sql`not e.slow`, quick)} union all ${some(sql`e.slow`, slow)}`;
};
const READY = tables.named('ready', (_, now: Date, quick: number, slow: number) => ready(ALL, now, quick, slow));
const READY_OF = tables.named('ready_of', (_, accounts: readonly string[], now: Date, quick: number, slow: number) =>
  ready(scopeOf(accounts), now, quick, slow),
);

/** One of two processes that take the same one gets it: the other waits for that, and finds it leased. */
const TAKE = tables.named(
  'lease',
  (_, accounts: string[], ids: string[], holder: string) => sql<Leased>`
    update webhook_endpoints e set leased_by = ${holder}, leased_until = ${LEASED}
    from unnest(${accounts}::uuid[], ${ids}::uuid[]) as o (developer_id, id)
    where e.developer_id = any(${accounts}::uuid[]) and ${ownMatch('e.id', 'o.id')}
      and e.enabled and ${IS_FREE} and ${SOON}
    returning e.developer_id, e.id, e.slow, e.first_failure_at is null and e.last_success_at is not null as answers`,
);

type Key = Columns<'webhook_endpoints', 'developer_id' | 'id'>;

/** An endpoint to which nobody else sends for the time of a lease. */
export interface Leased extends Columns<'webhook_endpoints', 'developer_id' | 'id' | 'slow'> {
  /** It has answered, and its last answer was a good one. */
  answers: boolean;
}

interface Taking {
  now: Date;
  holder: string;
  /** The most endpoints that answer quickly, and the most slow ones. */
  quick: number;
  slow: number;
  /** Only theirs; undefined: anybody's. */
  accounts?: readonly string[] | undefined;
}

/** Takes endpoints that have something due and belong to no process that lives. */
export async function takeLeases(db: WebhooksDb, { now, holder, quick, slow, accounts }: Taking): Promise<Leased[]> {
  const found = await (accounts ? READY_OF(db, accounts, now, quick, slow) : READY(db, now, quick, slow));
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
  (_, accounts: string[], ids: string[], holder: string) => sql<Columns<'webhook_endpoints', 'id'>>`
    update webhook_endpoints e set leased_until = ${LEASED}
    from unnest(${accounts}::uuid[], ${ids}::uuid[]) as o (developer_id, id)
    where e.developer_id = any(${accounts}::uuid[]) and ${ownMatch('e.id', 'o.id')}
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
  (_, accounts: string[], ids: string[], holder: string) => sql<Columns<'webhook_endpoints', 'id'>>`
    update webhook_endpoints e set leased_by = null, leased_until = now()
    from unnest(${accounts}::uuid[], ${ids}::uuid[]) as o (developer_id, id)
    where e.developer_id = any(${accounts}::uuid[]) and ${ownMatch('e.id', 'o.id')}
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

const next = (scope: Scope, holder: string, busy: readonly string[]) => {
  const leasedByOthers = sql`e.leased_by is not null and e.leased_by <> ${holder} and e.leased_until > now()`;
  return sql<{ at: Date | null; lease_ms: number | null }>`
  select min(first.at) filter (where (${leasedByOthers}) is not true) as at,
    (extract(epoch from min(e.leased_until) filter (where ${leasedByOthers}) - now()) * 1000)::float8 as lease_ms
  from webhook_endpoints e cross join lateral ${first(scope)} where ${scope.e} and e.enabled and e.id <> all(${busy}::uuid[])`;
};
const NEXT = tables.named('next', (_, holder: string, busy: readonly string[]) => next(ALL, holder, busy));
const NEXT_OF = tables.named('next_of', (_, accounts: readonly string[], holder: string, busy: readonly string[]) =>
  next(scopeOf(accounts), holder, busy),
);

interface Next {
  /** When something is due that no other process is to send; null: nothing is. */
  at: Date | null;
  /** Milliseconds until the lease of another process ends unless it renews it; null: there is none. */
  leaseMs: number | null;
}

/**
 * @param busy endpoints that are looked at anyhow, when their requests end.
 * @param accounts only theirs; undefined: anybody's.
 */
export async function nextDue(
  db: WebhooksDb,
  { holder, busy, accounts }: { holder: string; busy: readonly string[]; accounts?: readonly string[] | undefined },
): Promise<Next> {
  const [found] = await (accounts ? NEXT_OF(db, accounts, holder, busy) : NEXT(db, holder, busy));
  return { at: found?.at ?? null, leaseMs: found?.lease_ms ?? null };
}

/** When the oldest of all that waits was or is due; null: nothing waits. */
export async function oldestDue(db: WebhooksDb): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`/* across tenants: figures */
    select min(first.at) as at from webhook_endpoints e cross join lateral ${first(ALL)} where e.enabled`.execute(db);
  return rows[0]?.at ?? null;
}
