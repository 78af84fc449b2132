import { type RawBuilder, sql } from 'kysely';
import { eachTenant } from '#platform/caches/by-tenant.ts';
import { DAY, HOUR, SECOND } from '#platform/clock.ts';
import { packed, unpacked } from '#platform/db/statements/packed-texts.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import type { EgressAnswer } from '#platform/egress/answer.ts';
import { sqlState } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import { utcDay } from '#platform/time/days.ts';
import { tables, type WebhooksDb } from '../tables.ts';
import type { DeliveryState } from './deliveries.schemas.ts';
import type { Due } from './due.ts';
import { SOON } from './leases.ts';
import { DELAYS, delayAfter, retryAfterOf } from './schedule.ts';

/** An attempt that came to its end. */
export interface Outcome {
  due: Due;
  answer: EgressAnswer;
  startedAt: Date;
  endedAt: Date;
  signature: string;
}

const GONE = 410;
const HEEDED = new Set([429, 503]);
/** An answer that takes longer makes an endpoint slow, as a time-out does. */
const SLOW_MS = 5000;
/** So often a success is noted of an endpoint without trouble. */
const SUCCESS_EVERY = 10 * SECOND;

/** The state of a delivery after an attempt. */
export function settle({ due, answer, endedAt }: Outcome, random: Pick<Random, 'bytes'>) {
  const used = due.position < DELAYS.length;
  // the first one counts; sent again by hand, it does not use up its schedule
  const counts = used && (due.position === 0 || due.trigger !== 'manual');
  const position = counts ? due.position + 1 : due.position;
  if (answer.error === null) return { state: 'delivered' as DeliveryState, position, next: null, deliveredAt: endedAt };
  const wish =
    answer.status !== null && HEEDED.has(answer.status) ? retryAfterOf(answer.headers?.['retry-after'], endedAt) : null;
  const delay = used && answer.status !== GONE ? delayAfter(position, wish, random) : null;
  // one that arrived before, and was sent again by hand, stays delivered
  const over: DeliveryState = due.delivered_at === null ? 'failed' : 'delivered';
  return {
    state: delay === null ? over : ('waiting' as DeliveryState),
    position: answer.status === GONE ? DELAYS.length : position,
    next: delay === null ? null : new Date(endedAt.getTime() + delay),
    deliveredAt: null,
  };
}

/** How a database of many machines refuses a statement about all of them. */
const NOT_SUPPORTED = '0A000';

/** An array as PostgreSQL reads it. */
type List = string;

/** The arguments of {@link written}: each is a list with one value per outcome. */
type Lists = [
  accounts: List,
  ids: List,
  attempts: List,
  states: List,
  positions: List,
  nexts: List,
  statuses: List,
  errors: List,
  started: List,
  delivered: List,
  ms: List,
  signatures: List,
  headers: string,
  bodies: string,
  days: List,
  triggers: List,
  told: List,
];

/** Whose outcomes a statement writes. */
interface Whose {
  /** Why it asks for all accounts. */
  note: RawBuilder<unknown>;
  are: (alias: string) => RawBuilder<unknown>;
  /** The condition that delivery `d` is the row that was found as `o`. */
  place: RawBuilder<unknown>;
  /** The alias of the row that earlier attempts are made of. */
  row: string;
  beside: RawBuilder<unknown>;
}

const ANYBODYS: Whose = {
  note: sql`/* across tenants: the worker sends for all accounts */`,
  are: () => sql`true`,
  place: sql`d.ctid = o.place`,
  row: 'o',
  beside: sql``,
};
/** Many machines write this where the account is. */
const whoseIs = (account: string): Whose => ({
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
const written = (
  whose: Whose,
  [
    accounts,
    ids,
    attempts,
    states,
    positions,
    nexts,
    statuses,
    errors,
    started,
    delivered,
    ms,
    signatures,
    headers,
    bodies,
    days,
    triggers,
    told,
  ]: Lists,
) => sql<{ id: string }>`
  ${whose.note} with o as (
    select * from unnest(${accounts}::uuid[], ${ids}::uuid[], ${attempts}::int[], ${states}::text[], ${positions}::int[],
      ${nexts}::timestamptz[], ${statuses}::int[], ${errors}::text[], ${started}::timestamptz[], ${delivered}::timestamptz[],
      ${ms}::int[], ${signatures}::text[], ${withValue(unpacked, headers)}, ${withValue(unpacked, bodies)}, ${days}::date[], ${triggers}::text[],
      ${told}::boolean[]) as o (developer_id, id, attempts, state, position, next, status, error, started, delivered, ms,
        signature, headers, body, ended_on, trigger, told)
  ), found as (
    select o.*, x.*, o.told and not exists (
      select 1 from webhook_events v
      where ${whose.are('v')} and v.developer_id = o.developer_id and v.id = x.event_id
        and v.personal is not null) as erased
    from o cross join lateral (
      select d.ctid as place, d.xmin as version, d.event_id, d.last_trigger, d.last_attempt_at, d.last_duration_ms, d.last_status,
        d.last_error, d.signature as last_signature, d.response_headers, d.response_text
      from webhook_deliveries d
      where ${whose.are('d')} and d.developer_id = o.developer_id and d.id = o.id
        and d.attempts = o.attempts limit 1) x
  ), done as (
    update webhook_deliveries d set state = o.state, position = o.position, next_attempt_at = o.next,
      attempts = d.attempts + 1, last_trigger = o.trigger, trigger = 'schedule', last_status = o.status, last_error = o.error,
      last_attempt_at = o.started, last_duration_ms = o.ms, signature = o.signature,
      response_headers = case when o.erased then null else o.headers end,
      response_text = case when o.erased then null else o.body end, delivered_at = coalesce(d.delivered_at, o.delivered)
    from found o where ${whose.are('d')} and ${whose.place}
      and (d.developer_id, d.id) = (o.developer_id, o.id) and d.xmin = o.version and ${SOON}
    returning d.developer_id, d.id, d.endpoint_id, o.error, o.ended_on
  ), counted as (
    select developer_id, endpoint_id, ended_on, count(*) filter (where error is null) as delivered,
      count(*) filter (where error is not null) as failed
    from done group by developer_id, endpoint_id, ended_on
  ), days as (
    insert into webhook_days (developer_id, endpoint_id, day, delivered, failed)
    select e.developer_id, e.id, c.ended_on, c.delivered, c.failed
    from counted c join webhook_endpoints e on (e.developer_id, e.id) = (c.developer_id, c.endpoint_id)
    where ${whose.are('e')} order by e.id
    on conflict (endpoint_id, developer_id, day) do update set delivered = webhook_days.delivered + excluded.delivered,
      failed = webhook_days.failed + excluded.failed
  ), moved as (
    insert into webhook_attempts (developer_id, delivery_id, n, trigger, started_at, duration_ms, status, error, signature,
      response_headers, response_text)
    select ${sql.ref(`${whose.row}.developer_id`)}, o.id, o.attempts, o.last_trigger, o.last_attempt_at, o.last_duration_ms, o.last_status, o.last_error,
      o.last_signature, o.response_headers, o.response_text
    from found o join done on (done.developer_id, done.id) = (o.developer_id, o.id)${whose.beside}
    where ${whose.are(whose.row)} and o.last_trigger is not null
  )
  select id from found except select id from done`;

const WRITE = tables.named('outcomes', (_, ...lists: Lists) => written(ANYBODYS, lists));
const WRITE_OF = tables.named('outcomes_of', (_, account: string, ...lists: Lists) => written(whoseIs(account), lists));

/** A list of values without a character that PostgreSQL would take for its own. */
const plain = (values: readonly (string | number | null)[]): List =>
  `{${values.map((value) => value ?? 'null').join(',')}}`;
const times = (values: readonly (Date | null)[]): List => plain(values.map((value) => value?.toISOString() ?? null));

/** Writes attempts, the states of their deliveries, and the days' counts, all in one statement; and again what changes meanwhile. */
export async function writeOutcomes(db: WebhooksDb, outcomes: readonly Outcome[], random: Random): Promise<void> {
  let rows = outcomes.map((outcome) => ({ ...outcome, ...settle(outcome, random) }));
  while (rows.length > 0) {
    const changed = new Set((await write(db, rows)).map(({ id }) => id));
    rows = rows.filter(({ due }) => changed.has(due.id));
  }
}

type Settled = Outcome & ReturnType<typeof settle>;

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

const listsOf = (rows: readonly Settled[]): Lists => [
  plain(rows.map(({ due }) => due.to.developer_id)),
  plain(rows.map(({ due }) => due.id)),
  plain(rows.map(({ due }) => due.attempts)),
  plain(rows.map(({ state }) => state)),
  plain(rows.map(({ position }) => position)),
  times(rows.map(({ next }) => next)),
  plain(rows.map(({ answer }) => answer.status)),
  plain(rows.map(({ answer }) => answer.error)),
  times(rows.map(({ startedAt }) => startedAt)),
  times(rows.map(({ deliveredAt }) => deliveredAt)),
  plain(rows.map(({ answer }) => answer.durationMs)),
  `{${rows.map(({ signature }) => `"${signature}"`).join(',')}}`,
  packed(rows.map(({ answer }) => answer.headers && JSON.stringify(answer.headers))),
  packed(rows.map(({ answer }) => answer.text)),
  plain(rows.map(({ endedAt }) => utcDay(endedAt))),
  plain(rows.map(({ due }) => due.trigger)),
  plain(rows.map(({ due }) => String(due.personal !== null && due.to.include_personal))),
];

/** The health of an endpoint, as its attempts show it in the order in which they ended. */
export interface Health {
  developerId: string;
  endpointId: string;
  /** Whether the last one succeeded. */
  good: boolean;
  /** Whether any of them did: the failures before it are over. */
  succeeded: boolean;
  /** Null: as it was. */
  slow: boolean | null;
  gone: boolean;
  /** The address of the last attempt, or of the one that found it gone. */
  url: string;
  at: Date;
  /** Whether there is anything to write about the endpoint itself. */
  news: boolean;
}

export function healthOf(outcomes: readonly Outcome[]): Health[] {
  const byEndpoint = Map.groupBy(outcomes, ({ due }) => due.to.id);
  return [...byEndpoint].map(([endpointId, own]) => {
    const last = own.at(-1) as Outcome;
    const good = last.answer.error === null;
    const delivered = own.filter(({ answer }) => answer.error === null).length;
    const slow = slownessOf(last.answer);
    const gone = own.findLast(({ answer }) => answer.status === GONE);
    const { to } = last.due;
    const noted = to.last_success_at?.getTime() ?? 0;
    return {
      developerId: to.developer_id,
      endpointId,
      good,
      succeeded: delivered > 0,
      slow,
      gone: gone !== undefined,
      url: (gone ?? last).due.to.url,
      at: last.endedAt,
      news:
        !good ||
        delivered < own.length ||
        to.first_failure_at !== null ||
        (slow !== null && slow !== to.slow) ||
        last.endedAt.getTime() - noted >= SUCCESS_EVERY,
    };
  });
}

/** Whether nothing else should be sent to its endpoint as if it answered: it is gone, or slow. */
export const turnsAway = ({ answer }: Outcome): boolean => answer.status === GONE || slownessOf(answer) === true;

function slownessOf({ error, durationMs }: EgressAnswer): boolean | null {
  if (error === 'timeout' || durationMs > SLOW_MS) return true;
  return error === null ? false : null;
}

/** It is gone only if that address is still the one to send to, as another one may have been set while the answer was under way. */
const GONE_NOW = sql`(h.gone and h.url = e.url)`;

/**
 * Nothing is noted about an endpoint that is off: why and since when it failed stays. Whatever else one that is gone answered
 * meanwhile, it has failed since then.
 */
const NOTE = tables.named(
  'health',
  (
    _,
    accounts: string[],
    ids: string[],
    good: boolean[],
    slow: (boolean | null)[],
    gone: boolean[],
    at: Date[],
    succeeded: boolean[],
    urls: string[],
  ) => sql<never>`
  update webhook_endpoints e set
    last_success_at = case when h.succeeded then greatest(e.last_success_at, h.at) else e.last_success_at end,
    first_failure_at = case when h.good and not ${GONE_NOW} then null when h.succeeded then h.at else coalesce(e.first_failure_at, h.at) end,
    last_failure_at = case when h.good and not ${GONE_NOW} then null else greatest(e.last_failure_at, h.at) end,
    warned = case when h.succeeded then 0 else e.warned end,
    slow = coalesce(h.slow, e.slow),
    enabled = not ${GONE_NOW},
    disabled_reason = case when ${GONE_NOW} then 'gone' else e.disabled_reason end,
    disabled_at = case when ${GONE_NOW} then h.at else e.disabled_at end
  from unnest(${accounts}::uuid[], ${ids}::uuid[], ${good}::boolean[], ${slow}::boolean[], ${gone}::boolean[],
    ${at}::timestamptz[], ${succeeded}::boolean[], ${urls}::text[]) as h (developer_id, endpoint_id, good, slow, gone, at, succeeded, url)
  where e.developer_id = any(${accounts}::uuid[]) and (e.developer_id, e.id) = (h.developer_id, h.endpoint_id) and e.enabled`,
);

/** Writes how the endpoints are: since when they fail, and whether they are to be treated with care. */
export async function writeHealth(db: WebhooksDb, health: readonly Health[]): Promise<void> {
  const news = health.filter((each) => each.news);
  if (news.length === 0) return;
  // a transaction is repeated should it and another process wait for each other
  await db.work({ tx: true }, (tx) =>
    NOTE(
      tx,
      news.map((each) => each.developerId),
      news.map((each) => each.endpointId),
      news.map((each) => each.good),
      news.map((each) => each.slow),
      news.map((each) => each.gone),
      news.map((each) => each.at),
      news.map((each) => each.succeeded),
      news.map((each) => each.url),
    ),
  );
}

/** After how long without success an account is warned, step by step. */
export const WARN_AFTER = [HOUR, DAY, 3 * DAY];
export const OFF_AFTER = 5 * DAY;
/** The first and the last failure have to be this far apart. */
export const OFF_SPAN = 12 * HOUR;
