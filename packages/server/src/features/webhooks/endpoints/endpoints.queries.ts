import { type Insertable, sql, type Updateable } from 'kysely';
import { DAY } from '#platform/clock.ts';
import type { Tables } from '#platform/db/tables.ts';
import { utcDay } from '#platform/time/days.ts';
import type { DeliveryState } from '../delivery/deliveries.schemas.ts';
import type { WebhooksHandle } from '../tables.ts';

/** Counts for a screen stop here. */
export const MOST_COUNTED = 10_000;

type Days = Record<string, { delivered: number; failed: number }>;

/** How many deliveries of endpoint `e` are in one of these states. */
const count = (accountId: string, ...states: DeliveryState[]) =>
  sql<number>`(select count(*) from (select 1 from webhook_deliveries d
    where d.developer_id = ${accountId} and d.endpoint_id = e.id and d.state in (${sql.join(states.map((state) => sql.lit(state)))})
    limit ${sql.lit(MOST_COUNTED)}) few)`;

/** The account's endpoints, newest first, or one of them. */
export const findEndpoints = (handle: WebhooksHandle, accountId: string, now: Date, id?: string) =>
  handle
    .selectFrom('webhook_endpoints as e')
    .select(['e.id', 'e.url', 'e.description', 'e.events', 'e.signature', 'e.include_personal', 'e.include_codes'])
    .select(['e.enabled', 'e.disabled_reason', 'e.disabled_at', 'e.previous_until'])
    .select(['e.first_failure_at', 'e.last_failure_at', 'e.last_success_at', 'e.slow', 'e.created_at'])
    .select([
      count(accountId, 'waiting').as('waiting'),
      count(accountId, 'failed', 'skipped').as('replayable'),
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

/** An endpoint, held until the transaction ends. `lost`: its secret cannot be opened any more. */
export const holdEndpoint = (tx: WebhooksHandle, accountId: string, id: string) =>
  tx
    .selectFrom('webhook_endpoints')
    .select(['url', 'enabled', 'signature', 'include_personal', 'include_codes', 'events'])
    .select(sql<boolean>`length(secret) = 0`.as('lost'))
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .where('listens_until', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** The secret of one that is there, as it is sealed. */
export const findSecret = (tx: WebhooksHandle, accountId: string, id: string) =>
  tx
    .selectFrom('webhook_endpoints')
    .select('secret')
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function countEndpoints(tx: WebhooksHandle, accountId: string): Promise<number> {
  const { n } = await tx
    .selectFrom('webhook_endpoints')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('developer_id', '=', accountId)
    .where('listens_until', 'is', null)
    .executeTakeFirstOrThrow();
  return n;
}

export const addEndpoint = (tx: WebhooksHandle, endpoint: Insertable<Tables['webhook_endpoints']>) =>
  tx.insertInto('webhook_endpoints').values(endpoint).execute();

export const changeEndpoint = (
  tx: WebhooksHandle,
  accountId: string,
  id: string,
  change: Updateable<Tables['webhook_endpoints']>,
) =>
  tx.updateTable('webhook_endpoints').set(change).where('developer_id', '=', accountId).where('id', '=', id).execute();

/** The one before it, unless it is lost, signs beside it for a while. One that is off because its secret was lost goes on. */
export function takeNextSecret(
  tx: WebhooksHandle,
  accountId: string,
  id: string,
  { secret, until }: { secret: Buffer; until: Date },
) {
  const ofAnother = sql`disabled_reason <> 'secret'`;
  return tx
    .updateTable('webhook_endpoints')
    .set({
      secret,
      previous_secret: sql`case when length(secret) > 0 then secret end`,
      previous_until: sql`case when length(secret) > 0 then ${until}::timestamptz end`,
      enabled: sql<boolean>`enabled or disabled_reason = 'secret'`,
      disabled_reason: sql`case when ${ofAnother} then disabled_reason end`,
      disabled_at: sql`case when ${ofAnother} then disabled_at end`,
    })
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export const removeEndpoint = (tx: WebhooksHandle, accountId: string, id: string) =>
  tx
    .deleteFrom('webhook_endpoints')
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .where('listens_until', 'is', null)
    .returning('url')
    .executeTakeFirst();

export const removeEndpoints = (tx: WebhooksHandle, accountId: string) =>
  tx.deleteFrom('webhook_endpoints').where('developer_id', '=', accountId).execute();

/** Nothing is signed with them any more; what was signed can still be checked. */
export const emptyKeys = (tx: WebhooksHandle, accountId: string, now: Date) =>
  tx
    .updateTable('webhook_keys')
    .set({ private_key: Buffer.alloc(0), retired_at: sql<Date>`coalesce(retired_at, ${now})` })
    .where('developer_id', '=', accountId)
    .execute();
