import { DAY, HOUR, SECOND } from '../../../platform/clock.ts';
import type { Database, Prepared } from '../../../platform/db/database.ts';
import type { EgressAnswer } from '../../../platform/egress/egress.ts';
import type { Random } from '../../../platform/random.ts';
import { type Claimed, SOON } from './claims.ts';
import type { DeliveryState } from './deliveries.schemas.ts';
import { DELAYS, delayAfter, retryAfterOf } from './schedule.ts';

/** An attempt that came to its end. */
export interface Outcome {
  claimed: Claimed;
  answer: EgressAnswer;
  startedAt: Date;
  endedAt: Date;
  requestHeaders: Record<string, string>;
}

const GONE = 410;
const HEEDED = new Set([429, 503]);
/** An answer that takes longer makes an endpoint slow, as a time-out does. */
const SLOW_MS = 5000;
/** So often a success is noted of an endpoint without trouble. */
const SUCCESS_EVERY = 10 * SECOND;

/** What becomes of a delivery after an attempt. */
export function settle({ claimed, answer, endedAt }: Outcome, random: Pick<Random, 'bytes'>) {
  const used = claimed.position < DELAYS.length;
  const position = used ? claimed.position + 1 : claimed.position;
  if (answer.error === null) return { state: 'delivered' as DeliveryState, position, next: null, deliveredAt: endedAt };
  const wish =
    answer.status !== null && HEEDED.has(answer.status) ? retryAfterOf(answer.headers?.['retry-after'], endedAt) : null;
  const delay = used && answer.status !== GONE ? delayAfter(position, wish, random) : null;
  // one that arrived before, and was sent again by hand, stays delivered
  const over: DeliveryState = claimed.delivered_at === null ? 'failed' : 'delivered';
  return {
    state: delay === null ? over : ('waiting' as DeliveryState),
    position: answer.status === GONE ? DELAYS.length : position,
    next: delay === null ? null : new Date(endedAt.getTime() + delay),
    deliveredAt: null,
  };
}

const WRITE: Prepared = {
  name: 'webhook_outcomes',
  text: `/* across tenants: the worker sends for all accounts */
  with o as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::timestamptz[], $7::int[], $8::text[],
      $9::timestamptz[], $10::timestamptz[], $11::int[], $12::text[], $13::text[], $14::text[], $15::uuid[], $16::date[], $17::text[])
      as o (developer_id, id, lease, state, position, next, status, error, started, delivered, ms, sent, headers, body, attempt,
        ended_on, trigger)
  ), done as (
    update webhook_deliveries d set state = o.state, position = o.position, next_attempt_at = o.next, lease = null,
      attempts = d.attempts + 1, trigger = 'schedule', last_status = o.status, last_error = o.error, last_attempt_at = o.started,
      delivered_at = coalesce(d.delivered_at, o.delivered)
    from o where (d.developer_id, d.id) = (o.developer_id, o.id) and d.lease = o.lease and ${SOON}
    returning d.developer_id, d.id, d.endpoint_id, d.attempts, o.trigger, o.error, o.ended_on, o.attempt, o.started, o.ms, o.status,
      o.sent, o.headers, o.body
  ), counted as (
    select developer_id, endpoint_id, ended_on, count(*) filter (where error is null) as delivered,
      count(*) filter (where error is not null) as failed
    from done group by developer_id, endpoint_id, ended_on
  ), days as (
    insert into webhook_days (developer_id, endpoint_id, day, delivered, failed)
    select e.developer_id, e.id, c.ended_on, c.delivered, c.failed
    from counted c join webhook_endpoints e on (e.developer_id, e.id) = (c.developer_id, c.endpoint_id) order by e.id
    on conflict (endpoint_id, developer_id, day) do update set delivered = webhook_days.delivered + excluded.delivered,
      failed = webhook_days.failed + excluded.failed
  )
  insert into webhook_attempts (developer_id, id, delivery_id, n, trigger, started_at, duration_ms, status, error, request_headers,
    response_headers, response_text)
  select developer_id, attempt, id, attempts, trigger, started, ms, status, error, sent, headers, body from done`,
};

/** Writes attempts, what becomes of their deliveries, and the days' counts, all in one statement. One whose lease was lost is not written. */
export async function writeOutcomes(db: Database, outcomes: readonly Outcome[], random: Random): Promise<void> {
  const rows = outcomes.map((outcome) => ({ ...outcome, ...settle(outcome, random) }));
  await db.prepared(WRITE, [
    rows.map(({ claimed }) => claimed.developer_id),
    rows.map(({ claimed }) => claimed.id),
    rows.map(({ claimed }) => claimed.lease),
    rows.map(({ state }) => state),
    rows.map(({ position }) => position),
    rows.map(({ next }) => next),
    rows.map(({ answer }) => answer.status),
    rows.map(({ answer }) => answer.error),
    rows.map(({ startedAt }) => startedAt),
    rows.map(({ deliveredAt }) => deliveredAt),
    rows.map(({ answer }) => answer.durationMs),
    rows.map(({ requestHeaders }) => JSON.stringify(requestHeaders)),
    rows.map(({ answer }) => answer.headers && JSON.stringify(answer.headers)),
    rows.map(({ answer }) => answer.text),
    rows.map(() => random.id()),
    rows.map(({ endedAt }) => endedAt.toISOString().slice(0, 10)),
    rows.map(({ claimed }) => claimed.trigger),
  ]);
}

/** What the attempts of an endpoint, in the order in which they ended, say about it. */
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
  /** Where the last one, or the one that found it gone, was sent. */
  url: string;
  at: Date;
  /** Whether there is anything to write about the endpoint itself. */
  news: boolean;
}

export function healthOf(outcomes: readonly Outcome[]): Health[] {
  const byEndpoint = Map.groupBy(outcomes, ({ claimed }) => claimed.endpoint_id);
  return [...byEndpoint].map(([endpointId, own]) => {
    const last = own.at(-1) as Outcome;
    const good = last.answer.error === null;
    const delivered = own.filter(({ answer }) => answer.error === null).length;
    const slow = slownessOf(last.answer);
    const gone = own.findLast(({ answer }) => answer.status === GONE);
    const { claimed } = last;
    const noted = claimed.last_success_at?.getTime() ?? 0;
    return {
      developerId: claimed.developer_id,
      endpointId,
      good,
      succeeded: delivered > 0,
      slow,
      gone: gone !== undefined,
      url: (gone ?? last).claimed.url,
      at: last.endedAt,
      news:
        !good ||
        delivered < own.length ||
        claimed.first_failure_at !== null ||
        (slow !== null && slow !== claimed.slow) ||
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

const NOTE: Prepared = {
  name: 'webhook_health',
  text: `/* across tenants: the worker sends for all accounts */
  with h as (
    select * from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::boolean[], $5::boolean[], $6::timestamptz[],
      $7::boolean[], $8::text[]) as h (developer_id, endpoint_id, good, slow, gone, at, succeeded, url)
  ), held as (
    select e.developer_id, e.id from webhook_endpoints e join h on (e.developer_id, e.id) = (h.developer_id, h.endpoint_id)
    order by e.id for no key update of e
  )
  update webhook_endpoints e set
    last_success_at = case when h.succeeded then greatest(e.last_success_at, h.at) else e.last_success_at end,
    first_failure_at = case when h.good then null when h.succeeded then h.at else coalesce(e.first_failure_at, h.at) end,
    last_failure_at = case when h.good then null else greatest(e.last_failure_at, h.at) end,
    warned = case when h.succeeded then 0 else e.warned end,
    slow = coalesce(h.slow, e.slow),
    enabled = e.enabled and not (h.gone and h.url = e.url),
    disabled_reason = case when h.gone and h.url = e.url and e.enabled then 'gone' else e.disabled_reason end,
    disabled_at = case when h.gone and h.url = e.url and e.enabled then h.at else e.disabled_at end
  from h, held where (e.developer_id, e.id) = (h.developer_id, h.endpoint_id) and (held.developer_id, held.id) = (e.developer_id, e.id)`,
};

/** Writes how the endpoints are: since when they fail, and whether they are to be treated with care. */
export async function writeHealth(db: Database, health: readonly Health[]): Promise<void> {
  const news = health.filter((each) => each.news);
  if (news.length === 0) return;
  await db.prepared(NOTE, [
    news.map((each) => each.developerId),
    news.map((each) => each.endpointId),
    news.map((each) => each.good),
    news.map((each) => each.slow),
    news.map((each) => each.gone),
    news.map((each) => each.at),
    news.map((each) => each.succeeded),
    news.map((each) => each.url),
  ]);
}

/** After how long without success an account is warned, step by step. */
export const WARN_AFTER = [HOUR, DAY, 3 * DAY];
export const OFF_AFTER = 5 * DAY;
/** The first and the last failure have to be this far apart. */
export const OFF_SPAN = 12 * HOUR;
