import { sql } from 'kysely';
import { DAY, HOUR, SECOND } from '#platform/clock.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import type { EgressAnswer } from '#platform/egress/answer.ts';
import { tables, type WebhooksDb } from '../tables.ts';
import { GONE, type Outcome } from './outcome.ts';

/** An answer that takes longer makes an endpoint slow, as a time-out does. */
const SLOW_MS = 5000;
/** So often a success is noted of an endpoint without trouble. */
const SUCCESS_EVERY = 10 * SECOND;

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
export const isGoneOrSlow = ({ answer }: Outcome): boolean => answer.status === GONE || slownessOf(answer) === true;

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
  where e.developer_id = any(${accounts}::uuid[]) and ${ownMatch('e.id', 'h.endpoint_id')} and e.enabled`,
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
