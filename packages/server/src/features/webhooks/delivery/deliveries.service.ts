import { sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { momentOf } from '#platform/time/days.ts';
import { bodyOf, type EventParts, namesCode, type StoredEvent } from '../events/event-body.ts';
import { limits as policies } from '../limits.ts';
import { headersOf } from '../signing/sign.ts';
import type { WebhooksDb, WebhooksHandle } from '../tables.ts';
import {
  type AttemptView,
  type DeliveriesQuery,
  type DeliveryDetail,
  type DeliveryState,
  type DeliveryView,
  deliveryStates,
  type ReplayBody,
} from './deliveries.schemas.ts';
import { DELAYS } from './schedule.ts';
import { wakeWorkers } from './wake.ts';

interface ReplayOrder {
  accountId: string;
  endpointId: string;
  since: string;
  until: string;
  states: DeliveryState[];
  /** When it was ordered. */
  at: string;
}

/** Sends many deliveries of an endpoint again. */
export const replayJob = jobKind<ReplayOrder>({
  name: 'webhooks-replay',
  retryLimit: 5,
  retryDelay: 10,
  expireInSeconds: 600,
});

const MOST_REPLAYED = 10_000;
const BATCH = 500;
const MOST_ATTEMPTS = 100;

interface Dependencies {
  db: WebhooksDb;
  clock: Clock;
  limits: RateLimits;
  jobs: Jobs;
}

const VIEW = sql`d.id, d.endpoint_id, d.event_id, d.type, v.is_test, d.state, d.attempts, d.next_attempt_at, d.last_attempt_at,
  d.last_status, d.last_error, d.delivered_at, d.created_at`;
/** Looked up for each, whatever the planner believes of the tables' size. */
const ofEvent = (accountId: string) => sql`cross join lateral (
  select v.is_test, v.occurred_at, v.data, v.personal from webhook_events v
  where v.developer_id = ${accountId} and v.id = d.event_id limit 1) v`;

/** A delivery’s id is made at the time of its event, but perhaps by another clock, or a moment later. */
const APART = MINUTE;
/** A condition that uses the index of an endpoint’s ids, so that earlier deliveries are not read. */
const startingAt = (at: Date) =>
  sql`d.created_at >= ${at} and d.id >= ${firstIdAt(new Date(at.getTime() - APART))}::uuid`;

/** No id of that moment or a later one is below it. */
const firstIdAt = (at: Date) => {
  const millis = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${millis}${'0'.repeat(20)}`;
};

type Attempt = Omit<AttemptView, 'request_headers' | 'response_headers'> &
  Columns<'webhook_attempts', 'signature' | 'response_headers'>;

type Found = DeliveryView & StoredEvent & EventParts & Columns<'webhook_endpoints', 'url'>;

/** Deliveries to a webhook, their state, and sending them again. */
export class Deliveries {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Lists deliveries by the index of the endpoint's deliveries. The planner expects a handful of them for an endpoint
   * that the statistics do not know yet, and would sort a million.
   */
  async list({ accountId, timeZone }: Principal, endpointId: string, query: DeliveriesQuery) {
    const from = momentOf(query.from, 'start', timeZone, 'from');
    const after = decodeIdCursor(query.cursor);
    const conditions = [
      sql`d.developer_id = ${accountId} and d.endpoint_id = ${endpointId}`,
      ...(after === null ? [] : [sql`d.id < ${after}`]),
      ...(query.state ? [sql`d.state = ${query.state}`] : []),
      ...(query.type ? [sql`d.type = ${query.type}`] : []),
      ...(from ? [startingAt(from)] : []),
    ];
    return this.#deps.db.work({ tx: true, settings: BY_INDEX }, async (tx) => {
      await endpointOf(tx, accountId, endpointId);
      const { rows } = await sql<DeliveryView>`
        select ${VIEW} from (
          select d.* from webhook_deliveries d where ${sql.join(conditions, sql` and `)}
          order by d.id desc limit ${query.limit + 1}) d ${ofEvent(accountId)}
        order by d.id desc`.execute(tx);
      return pageOf(rows, query.limit);
    });
  }

  /**
   * Reads a delivery with its body and its attempts. Personal data is left out for a token that may not read customers,
   * and so are the answers to events that have such data: the endpoint may have asked for it at the time of an attempt,
   * even if it does not now.
   */
  async get(caller: Principal, id: string): Promise<DeliveryDetail> {
    const { db } = this.#deps;
    const found = await this.#find(caller.accountId, id);
    if (!found) throw notFound('Delivery');
    const { rows } = await sql<Attempt>`
      select d.attempts as n, d.last_trigger as trigger, d.last_attempt_at as started_at, d.last_duration_ms as duration_ms,
        d.last_status as status, d.last_error as error, d.signature, d.response_headers, d.response_text
      from webhook_deliveries d where d.developer_id = ${caller.accountId} and d.id = ${id} and d.last_trigger is not null
      union all (
        select a.n, a.trigger, a.started_at, a.duration_ms, a.status, a.error, a.signature, a.response_headers, a.response_text
        from webhook_attempts a where a.developer_id = ${caller.accountId} and a.delivery_id = ${id}
        order by a.n desc limit ${sql.lit(MOST_ATTEMPTS)})
      order by n desc limit ${sql.lit(MOST_ATTEMPTS)}`.execute(db);
    const { occurred_at: _, data: __, personal: ___, include_personal, include_codes, ...view } = found;
    const [people, codes] = [mayRead(caller, 'people'), mayRead(caller, 'codes')];
    // a receiver may answer with what it was told
    const hidden = (!people && found.personal !== null) || (!codes && namesCode(found.type));
    return {
      ...view,
      body: bodyOf(found, { include_personal: include_personal && people, include_codes: include_codes && codes }),
      history: rows.map(({ signature, response_headers, response_text, ...row }) => ({
        ...row,
        request_headers: headersOf({ id: found.event_id, at: row.started_at, signature }),
        response_headers:
          hidden || response_headers === null ? null : (JSON.parse(response_headers) as Record<string, string>),
        response_text: hidden ? null : response_text,
      })),
    };
  }

  /**
   * Sends a delivery again, once and now. One that waits goes on with its schedule afterwards.
   * @throws {AppError} not_found; domain_rule when its endpoint is off.
   */
  async retry(caller: Principal, id: string): Promise<DeliveryDetail> {
    const { db, clock, limits } = this.#deps;
    await limits.take(policies.webhook_sends, caller.accountId);
    const now = clock.now();
    await db.work({ tx: true }, async (tx) => {
      const found = await tx
        .selectFrom('webhook_deliveries as d')
        .$call(joinOwn('webhook_endpoints as e', 'e.id', 'd.endpoint_id'))
        .select('e.enabled')
        .where('d.developer_id', '=', caller.accountId)
        .where('d.id', '=', id)
        .executeTakeFirst();
      if (!found) throw notFound('Delivery');
      if (!found.enabled) throw off();
      await tx
        .updateTable('webhook_deliveries')
        .set({
          state: 'waiting',
          trigger: 'manual',
          next_attempt_at: now,
          // the outcome decides about one that is being sent right now
          position: sql<number>`case when state = 'waiting' then position else ${sql.lit(DELAYS.length)} end`,
        })
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .execute();
      await wakeWorkers(tx);
    });
    return this.get(caller, id);
  }

  /**
   * Sends everything of a period again: the first now, so that the caller sees it at once, and the rest by a job.
   * @throws {AppError} not_found; domain_rule when the endpoint is off.
   */
  async replay(caller: Principal, endpointId: string, { state, ...body }: ReplayBody) {
    const { db, clock, limits, jobs } = this.#deps;
    const since = momentOf(body.since, 'start', caller.timeZone, 'since') as Date;
    const until = momentOf(body.until, 'end', caller.timeZone, 'until');
    if (until && until <= since) throw invalidField('until', 'Must be after the beginning of the period.');
    await limits.take(policies.webhook_replays, caller.accountId);
    const at = clock.now();
    const order: ReplayOrder = {
      accountId: caller.accountId,
      endpointId,
      since: since.toISOString(),
      until: (until ?? at).toISOString(),
      states: state === 'undelivered' ? deliveryStates.filter((each) => each !== 'delivered') : [state],
      at: at.toISOString(),
    };
    return db.work({ tx: true }, async (tx) => {
      const { enabled } = await endpointOf(tx, caller.accountId, endpointId);
      if (!enabled) throw off();
      const ids = await matching(tx, order, MOST_REPLAYED + 1);
      if (ids.length > 0) await this.#sendAgain(tx, order, ids.slice(0, BATCH));
      if (ids.length > BATCH) await jobs.enqueue(tx, replayJob, order);
      return { matching: Math.min(ids.length, MOST_REPLAYED), more: ids.length > MOST_REPLAYED };
    });
  }

  /** The job: in small steps, in the order of the events. A repeat of it leaves out what was sent again. */
  async runReplay(order: ReplayOrder): Promise<void> {
    const { db } = this.#deps;
    const ids = await matching(db, order, MOST_REPLAYED - BATCH);
    for (let done = 0; done < ids.length; done += BATCH)
      await db.work({ tx: true }, (tx) => this.#sendAgain(tx, order, ids.slice(done, done + BATCH)));
  }

  async #sendAgain(tx: WebhooksHandle, order: ReplayOrder, ids: readonly string[]): Promise<void> {
    const { accountId } = order;
    const still = replayed(order).map(({ which }) => which);
    await sql`
      with picked as (
        select d.developer_id, d.id from webhook_deliveries d
        where d.developer_id = ${accountId} and d.id = any(${ids}::uuid[]) and (${sql.join(still, sql` or `)})
        order by d.id for no key update)
      update webhook_deliveries d set state = 'waiting', position = 0, trigger = 'replay', next_attempt_at = ${this.#deps.clock.now()}
      from picked where d.developer_id = ${accountId} and ${ownMatch('d.id', 'picked.id')}`.execute(tx);
    await wakeWorkers(tx);
  }

  async #find(accountId: string, id: string): Promise<Found | undefined> {
    const { rows } = await sql<Found>`
      select ${VIEW}, v.occurred_at, v.data, v.personal, e.url, e.include_personal, e.include_codes
      from webhook_deliveries d ${ofEvent(accountId)}
        ${ownJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')}
      where d.developer_id = ${accountId} and d.id = ${id}`.execute(this.#deps.db);
    return rows[0];
  }
}

/** @throws {AppError} not_found */
async function endpointOf(handle: WebhooksHandle, accountId: string, id: string): Promise<{ enabled: boolean }> {
  const found = await handle
    .selectFrom('webhook_endpoints')
    .select('enabled')
    .where('developer_id', '=', accountId)
    .where('id', '=', id)
    .where('listens_until', 'is', null)
    .executeTakeFirst();
  if (!found) throw notFound('Webhook');
  return found;
}

/** The deliveries to replay of these states as they were at a time, each part with the order of its index. */
function replayed({ states, at }: Pick<ReplayOrder, 'states' | 'at'>) {
  const ended = states.filter((state) => state !== 'waiting');
  return [
    ...(ended.length === 0
      ? []
      : [
          {
            which: sql`d.state in (${sql.join(ended.map((state) => sql.lit(state)))})
              and (d.last_attempt_at is null or d.last_attempt_at <= ${at}::timestamptz)`,
            order: sql`d.id`,
          },
        ]),
    // one that waits has failed before, and is not due yet
    ...(ended.length === states.length
      ? []
      : [
          {
            which: sql`d.state = 'waiting' and d.next_attempt_at > ${at}::timestamptz and d.last_attempt_at <= ${at}::timestamptz`,
            order: sql`d.next_attempt_at`,
          },
        ]),
  ];
}

/** The ids of what an order is about, so many of them at most, in the order of the events. */
async function matching(handle: WebhooksHandle, order: ReplayOrder, most: number): Promise<string[]> {
  const { accountId, endpointId } = order;
  const [since, until] = [new Date(order.since), new Date(order.until)];
  const each = replayed(order).map(
    ({ which, order: by }) => sql`(select d.id from webhook_deliveries d
      where d.developer_id = ${accountId} and d.endpoint_id = ${endpointId} and ${startingAt(since)}
        and d.created_at < ${until} and d.id < ${firstIdAt(new Date(until.getTime() + APART))}::uuid
        and ${which} order by ${by} limit ${sql.lit(most)})`,
  );
  const { rows } = await sql<Columns<'webhook_deliveries', 'id'>>`
    select few.id from (${sql.join(each, sql` union all `)}) few limit ${sql.lit(most)}`.execute(handle);
  return rows.map(({ id }) => id).sort();
}

const off = () => new AppError('domain_rule', 'This webhook is off. Switch it on first.');
