import { type RawBuilder, sql } from 'kysely';
import { eachTenant } from '#platform/caches/by-tenant.ts';
import { packed, unpacked } from '#platform/db/statements/packed-texts.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import { ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { sqlState } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import { utcDay } from '#platform/time/days.ts';
import { tables, type WebhooksDb } from '../tables.ts';
import { SOON } from './leases.ts';
import { type Outcome, type Settled, settle } from './outcome.ts';

/** How a database of many machines refuses a statement about all of them. */
const NOT_SUPPORTED = '0A000';

/** An array as PostgreSQL reads it. */
type List = string;

/** A list of values without a character that PostgreSQL would take for its own. */
const plain =
  (of: (row: Settled) => string | number | null) =>
  (rows: readonly Settled[]): List =>
    `{${rows.map((row) => of(row) ?? 'null').join(',')}}`;
const times = (of: (row: Settled) => Date | null) => plain((row) => of(row)?.toISOString() ?? null);
const quoted = (of: (row: Settled) => string) => plain((row) => `"${of(row)}"`);
const texts = (of: (row: Settled) => string | null) => (rows: readonly Settled[]) => packed(rows.map(of));

/** The columns of outcomes, and how the list of each is made, which has one value per outcome. */
const COLUMNS = {
  developer_id: plain(({ due }) => due.to.developer_id),
  id: plain(({ due }) => due.id),
  attempts: plain(({ due }) => due.attempts),
  state: plain(({ state }) => state),
  position: plain(({ position }) => position),
  next: times(({ next }) => next),
  status: plain(({ answer }) => answer.status),
  error: plain(({ answer }) => answer.error),
  started: times(({ startedAt }) => startedAt),
  delivered: times(({ deliveredAt }) => deliveredAt),
  ms: plain(({ answer }) => answer.durationMs),
  signature: quoted(({ signature }) => signature),
  headers: texts(({ answer }) => answer.headers && JSON.stringify(answer.headers)),
  body: texts(({ answer }) => answer.text),
  ended_on: plain(({ endedAt }) => utcDay(endedAt)),
  trigger: plain(({ due }) => due.trigger),
  personal: plain(({ due }) => String(due.personal !== null && due.to.include_personal)),
};

type Column = keyof typeof COLUMNS;

const listsOf = (rows: readonly Settled[]): List[] => Object.values(COLUMNS).map((listOf) => listOf(rows));
/** The same lists, which come by their places, by their columns. */
const byColumn = (lists: readonly List[]) =>
  Object.fromEntries(Object.keys(COLUMNS).map((column, at) => [column, lists[at]])) as Record<Column, List>;

/** The outcomes that a statement writes: those of all accounts, or of one. */
interface Scope {
  /** Why it asks for all accounts. */
  note: RawBuilder<unknown>;
  are: (alias: string) => RawBuilder<unknown>;
  /** The condition that delivery `d` is the row that was found as `o`. */
  place: RawBuilder<unknown>;
  /** The alias of the row that earlier attempts are made of. */
  row: string;
  beside: RawBuilder<unknown>;
}

const ALL: Scope = {
  note: sql`/* across tenants: the worker sends for all accounts */`,
  are: () => sql`true`,
  place: sql`d.ctid = o.place`,
  row: 'o',
  beside: sql``,
};
/** Many machines write this where the account is. */
const scopeOf = (account: string): Scope => ({
  note: sql``,
  are: (alias) => sql`${sql.ref(`${alias}.developer_id`)} = ${account}::uuid`,
  // its place is in a table of that machine
  place: sql`true`,
  row: 'own',
  beside: sql`
      join webhook_deliveries own on own.id = o.id`,
});

/**
 * A delivery that another process has sent in the meantime, as its number of attempts shows, is not written again. Rows are found
 * one by one, whatever the planner believes of the table's size, and changed by their key; the place where a row was found only
 * leads there. One that changes in that very instant, because somebody has it sent again or a customer is erased, is not written
 * but returned: only another statement sees what it is now. The attempt before makes room for this one. What was answered to
 * personal data that has been erased since is not kept.
 */
const written = (scope: Scope, lists: Record<Column, List>) => sql<{ id: string }>`
  ${scope.note} with o as (
    select * from unnest(${lists.developer_id}::uuid[], ${lists.id}::uuid[], ${lists.attempts}::int[], ${lists.state}::text[], ${lists.position}::int[],
      ${lists.next}::timestamptz[], ${lists.status}::int[], ${lists.error}::text[], ${lists.started}::timestamptz[], ${lists.delivered}::timestamptz[],
      ${lists.ms}::int[], ${lists.signature}::text[], ${withValue(unpacked, lists.headers)}, ${withValue(unpacked, lists.body)}, ${lists.ended_on}::date[], ${lists.trigger}::text[],
      ${lists.personal}::boolean[]) as o (developer_id, id, attempts, state, position, next, status, error, started, delivered, ms,
        signature, headers, body, ended_on, trigger, told)
  ), found as (
    select o.*, x.*, o.told and not exists (
      select 1 from webhook_events v
      where ${scope.are('v')} and v.developer_id = o.developer_id and v.id = x.event_id
        and v.personal is not null) as erased
    from o cross join lateral (
      select d.ctid as place, d.xmin as version, d.event_id, d.last_trigger, d.last_attempt_at, d.last_duration_ms, d.last_status,
        d.last_error, d.signature as last_signature, d.response_headers, d.response_text
      from webhook_deliveries d
      where ${scope.are('d')} and d.developer_id = o.developer_id and d.id = o.id
        and d.attempts = o.attempts limit 1) x
  ), done as (
    update webhook_deliveries d set state = o.state, position = o.position, next_attempt_at = o.next,
      attempts = d.attempts + 1, last_trigger = o.trigger, trigger = 'schedule', last_status = o.status, last_error = o.error,
      last_attempt_at = o.started, last_duration_ms = o.ms, signature = o.signature,
      response_headers = case when o.erased then null else o.headers end,
      response_text = case when o.erased then null else o.body end, delivered_at = coalesce(d.delivered_at, o.delivered)
    from found o where ${scope.are('d')} and ${scope.place}
      and ${ownMatch('d.id', 'o.id')} and d.xmin = o.version and ${SOON}
    returning d.developer_id, d.id, d.endpoint_id, o.error, o.ended_on
  ), counted as (
    select developer_id, endpoint_id, ended_on, count(*) filter (where error is null) as delivered,
      count(*) filter (where error is not null) as failed
    from done group by developer_id, endpoint_id, ended_on
  ), days as (
    insert into webhook_days (developer_id, endpoint_id, day, delivered, failed)
    select e.developer_id, e.id, c.ended_on, c.delivered, c.failed
    from counted c ${ownJoin('webhook_endpoints as e', 'e.id', 'c.endpoint_id')}
    where ${scope.are('e')} order by e.id
    on conflict (endpoint_id, developer_id, day) do update set delivered = webhook_days.delivered + excluded.delivered,
      failed = webhook_days.failed + excluded.failed
  ), moved as (
    insert into webhook_attempts (developer_id, delivery_id, n, trigger, started_at, duration_ms, status, error, signature,
      response_headers, response_text)
    select ${sql.ref(`${scope.row}.developer_id`)}, o.id, o.attempts, o.last_trigger, o.last_attempt_at, o.last_duration_ms, o.last_status, o.last_error,
      o.last_signature, o.response_headers, o.response_text
    from found o join done on ${ownMatch('done.id', 'o.id')}${scope.beside}
    where ${scope.are(scope.row)} and o.last_trigger is not null
  )
  select id from found except select id from done`;

const WRITE = tables.named('outcomes', (_, ...lists: List[]) => written(ALL, byColumn(lists)));
const WRITE_OF = tables.named('outcomes_of', (_, account: string, ...lists: List[]) =>
  written(scopeOf(account), byColumn(lists)),
);

/** Writes attempts, the states of their deliveries, and the days' counts, all in one statement; and again what changes meanwhile. */
export async function writeOutcomes(db: WebhooksDb, outcomes: readonly Outcome[], random: Random): Promise<void> {
  let rows = outcomes.map((outcome) => ({ ...outcome, ...settle(outcome, random) }));
  while (rows.length > 0) {
    const changed = new Set((await write(db, rows)).map(({ id }) => id));
    rows = rows.filter(({ due }) => changed.has(due.id));
  }
}

/** Databases of many machines, which change rows of one account at a time. */
const ofManyMachines = new WeakSet<WebhooksDb>();

/** @returns those that changed in that instant. */
async function write(db: WebhooksDb, rows: readonly Settled[]): Promise<{ id: string }[]> {
  if (!ofManyMachines.has(db)) {
    try {
      return await WRITE(db, ...listsOf(rows));
    } catch (error) {
      if (sqlState(error) !== NOT_SUPPORTED) throw error;
      ofManyMachines.add(db);
    }
  }
  const changed: { id: string }[] = [];
  await eachTenant(
    rows,
    ({ due }) => due.to.developer_id,
    async (own, account) => {
      changed.push(...(await WRITE_OF(db, account, ...listsOf(own))));
    },
  );
  return changed;
}
