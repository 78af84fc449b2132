import { sql } from 'kysely';
import { DAY } from '#platform/clock.ts';
import { utcDay } from '#platform/time/days.ts';
import type { WebhooksHandle } from '../tables.ts';

/** What is counted no further for a screen. */
export const MOST_COUNTED = 10_000;

type Days = Record<string, { delivered: number; failed: number }>;

/** How many deliveries of endpoint `e` are in one of these states. */
const count = (accountId: string, states: string) =>
  sql<number>`(select count(*) from (select 1 from webhook_deliveries d
    where d.developer_id = ${accountId} and d.endpoint_id = e.id and d.state in (${sql.raw(states)})
    limit ${sql.lit(MOST_COUNTED)}) few)`;

/** The account's endpoints, newest first, or one of them. */
export const findEndpoints = (handle: WebhooksHandle, accountId: string, now: Date, id?: string) =>
  handle
    .selectFrom('webhook_endpoints as e')
    .select(['e.id', 'e.url', 'e.description', 'e.events', 'e.signature', 'e.include_personal', 'e.include_codes'])
    .select(['e.enabled', 'e.disabled_reason', 'e.disabled_at', 'e.previous_until'])
    .select(['e.first_failure_at', 'e.last_failure_at', 'e.last_success_at', 'e.slow', 'e.created_at'])
    .select([
      count(accountId, "'waiting'").as('waiting'),
      count(accountId, "'failed', 'skipped'").as('replayable'),
      sql<Days | null>`(
        select json_object_agg(w.day, json_build_object('delivered', w.delivered, 'failed', w.failed)) from webhook_days w
        where w.developer_id = ${accountId} and w.endpoint_id = e.id and w.day > ${dayBefore(now, 7)}::date)`.as(
        'days',
      ),
    ])
    .where('e.developer_id', '=', accountId)
    .where('e.listens_until', 'is', null)
    .$if(id !== undefined, (all) => all.where('e.id', '=', id as string))
    .orderBy('e.id', 'desc')
    .execute();

export type EndpointRow = Awaited<ReturnType<typeof findEndpoints>>[number];

/** The day (UTC) so many days ago, as `YYYY-MM-DD`. */
export const dayBefore = (now: Date, ago: number): string => utcDay(new Date(now.getTime() - ago * DAY));
