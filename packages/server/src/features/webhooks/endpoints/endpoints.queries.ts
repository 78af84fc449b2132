import { DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { DisabledReason, SignatureKind } from './endpoints.schemas.ts';

/** What is counted no further for a screen. */
export const MOST_COUNTED = 10_000;

export interface EndpointRow {
  id: string;
  url: string;
  description: string;
  events: string[];
  signature: SignatureKind;
  include_personal: boolean;
  include_codes: boolean;
  enabled: boolean;
  disabled_reason: DisabledReason | null;
  disabled_at: Date | null;
  previous_until: Date | null;
  first_failure_at: Date | null;
  last_failure_at: Date | null;
  last_success_at: Date | null;
  slow: boolean;
  created_at: Date;
  waiting: number;
  replayable: number;
  days: Record<string, { delivered: number; failed: number }> | null;
}

const count = (states: string) => `(select count(*) from (select 1 from webhook_deliveries d
  where d.developer_id = e.developer_id and d.endpoint_id = e.id and d.state in (${states}) limit ${MOST_COUNTED}) few)`;

/** The account's endpoints, newest first, or one of them. */
export function findEndpoints(
  sql: Sql,
  accountId: string,
  now: Date,
  id: string | null = null,
): Promise<EndpointRow[]> {
  return sql.query<EndpointRow>(
    `select e.id, e.url, e.description, e.events, e.signature, e.include_personal, e.include_codes, e.enabled, e.disabled_reason, e.disabled_at,
       e.previous_until, e.first_failure_at, e.last_failure_at, e.last_success_at, e.slow, e.created_at,
       ${count("'waiting'")} as waiting, ${count("'failed', 'skipped'")} as replayable,
       (select json_object_agg(w.day, json_build_object('delivered', w.delivered, 'failed', w.failed)) from webhook_days w
        where w.developer_id = e.developer_id and w.endpoint_id = e.id and w.day > $3::date) as days
     from webhook_endpoints e
     where e.developer_id = $1 and e.listens_until is null and ($2::uuid is null or e.id = $2) order by e.id desc`,
    [accountId, id, dayOf(now, 7)],
  );
}

/** The day (UTC) so many days ago, as `YYYY-MM-DD`. */
export const dayOf = (now: Date, ago = 0): string => new Date(now.getTime() - ago * DAY).toISOString().slice(0, 10);
