import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { idsFrom } from '#platform/db/statements/uuid-v7.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { momentOf } from '#platform/time/days.ts';
import { bodyOf, namesCode, type StoredEvent, type Told } from '../events/event-body.ts';
import { limits as policies } from '../limits.ts';
import { headersOf } from '../signing/sign.ts';
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
  db: Database;
  clock: Clock;
  limits: RateLimits;
  jobs: Jobs;
}

const VIEW = `d.id, d.endpoint_id, d.event_id, d.type, v.is_test, d.state, d.attempts, d.next_attempt_at, d.last_attempt_at,
  d.last_status, d.last_error, d.delivered_at, d.created_at`;
/** Looked up for each, whatever the planner believes of the tables' size. */
const OF_EVENT = `cross join lateral (
  select v.is_test, v.occurred_at, v.data, v.personal from webhook_events v
  where v.developer_id = d.developer_id and v.id = d.event_id limit 1) v`;

/** A delivery’s id is made at the time of its event, but perhaps by another clock, or a moment later. */
const APART = "interval '1 minute'";
/** By the index of an endpoint’s ids, so that what was before is not read. */
const startingAt = (at: string) => `d.created_at >= ${at} and d.id >= ${idsFrom(`${at} - ${APART}`)}`;

/** What was sent to an endpoint, what became of it, and sending it again. */
export class Deliveries {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The account is looked at outside: with both conditions, a webhook that the statistics do not know yet passes for a handful of
   * deliveries, and a million of them would be sorted.
   */
  async list({ userId: accountId, timeZone }: Principal, endpointId: string, query: DeliveriesQuery) {
    const { db } = this.#deps;
    await this.#endpoint(db, accountId, endpointId);
    const rows = await db.query<DeliveryView>(
      `select ${VIEW} from (
         select d.* from webhook_deliveries d
         where d.endpoint_id = $2 and ($3::uuid is null or d.id < $3)
           and ($4::text is null or d.state = $4) and ($5::text is null or d.type = $5)
           and ($6::timestamptz is null or ${startingAt('$6::timestamptz')})
         order by d.id desc limit $7) d ${OF_EVENT}
       where d.developer_id = $1 order by d.id desc`,
      [
        accountId,
        endpointId,
        decodeIdCursor(query.cursor),
        query.state ?? null,
        query.type ?? null,
        momentOf(query.from, 'start', timeZone, 'from'),
        query.limit + 1,
      ],
    );
    return pageOf(rows, query.limit);
  }

  /**
   * With its body and its attempts. What is personal is left out for a token that may not read customers, and so are the answers
   * to events that have it: whatever the endpoint is sent now, it may have asked for it at the time of an attempt.
   */
  async get(caller: Principal, id: string): Promise<DeliveryDetail> {
    const { db } = this.#deps;
    const [found] = await db.query<DeliveryView & StoredEvent & Told & { url: string }>(
      `select ${VIEW}, v.occurred_at, v.data, v.personal, e.url, e.include_personal, e.include_codes from webhook_deliveries d ${OF_EVENT}
         join webhook_endpoints e on (e.developer_id, e.id) = (d.developer_id, d.endpoint_id)
       where d.developer_id = $1 and d.id = $2`,
      [caller.userId, id],
    );
    if (!found) throw notFound('Delivery');
    const rows = await db.query<
      Omit<AttemptView, 'request_headers' | 'response_headers'> & {
        signature: string;
        response_headers: string | null;
      }
    >(
      `select d.attempts as n, d.last_trigger as trigger, d.last_attempt_at as started_at, d.last_duration_ms as duration_ms,
         d.last_status as status, d.last_error as error, d.signature, d.response_headers, d.response_text
       from webhook_deliveries d where d.developer_id = $1 and d.id = $2 and d.last_trigger is not null
       union all (
         select a.n, a.trigger, a.started_at, a.duration_ms, a.status, a.error, a.signature, a.response_headers, a.response_text
         from webhook_attempts a where a.developer_id = $1 and a.delivery_id = $2 order by a.n desc limit ${MOST_ATTEMPTS})
       order by n desc limit ${MOST_ATTEMPTS}`,
      [caller.userId, id],
    );
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
    await limits.take(policies.webhook_sends, caller.userId);
    const now = clock.now();
    await db.rowTransaction(async (sql) => {
      const [found] = await sql.query<{ enabled: boolean }>(
        `select e.enabled from webhook_deliveries d join webhook_endpoints e on (e.developer_id, e.id) = (d.developer_id, d.endpoint_id)
         where d.developer_id = $1 and d.id = $2`,
        [caller.userId, id],
      );
      if (!found) throw notFound('Delivery');
      if (!found.enabled) throw off();
      // of one that is being sent right now, the outcome decides
      await sql.query(
        `update webhook_deliveries set state = 'waiting', trigger = 'manual', next_attempt_at = $3,
           position = case when state = 'waiting' then position else ${DELAYS.length} end
         where developer_id = $1 and id = $2`,
        [caller.userId, id, now],
      );
      await wakeWorkers(sql);
    });
    return this.get(caller, id);
  }

  /**
   * Has everything of a time sent again: the first of them now, so that whoever asked sees it at once, and the rest by a job.
   * @throws {AppError} not_found; domain_rule when the endpoint is off.
   */
  async replay(caller: Principal, endpointId: string, { state, ...body }: ReplayBody) {
    const { db, clock, limits, jobs } = this.#deps;
    const since = momentOf(body.since, 'start', caller.timeZone, 'since') as Date;
    const until = momentOf(body.until, 'end', caller.timeZone, 'until');
    if (until && until <= since) throw invalidField('until', 'Must be after the beginning of the period.');
    await limits.take(policies.webhook_replays, caller.userId);
    const at = clock.now();
    const order: ReplayOrder = {
      accountId: caller.userId,
      endpointId,
      since: since.toISOString(),
      until: (until ?? at).toISOString(),
      states: state === 'undelivered' ? deliveryStates.filter((each) => each !== 'delivered') : [state],
      at: at.toISOString(),
    };
    return db.rowTransaction(async (sql) => {
      const { enabled } = await this.#endpoint(sql, caller.userId, endpointId);
      if (!enabled) throw off();
      const ids = await matching(sql, order, MOST_REPLAYED + 1);
      if (ids.length > 0) await this.#sendAgain(sql, order, ids.slice(0, BATCH));
      if (ids.length > BATCH) await jobs.enqueue(sql, replayJob, order);
      return { matching: Math.min(ids.length, MOST_REPLAYED), more: ids.length > MOST_REPLAYED };
    });
  }

  /** The job: in small steps, in the order of the events. A repeat of it leaves out what was sent again. */
  async runReplay(order: ReplayOrder): Promise<void> {
    const { db } = this.#deps;
    const ids = await matching(db, order, MOST_REPLAYED - BATCH);
    for (let done = 0; done < ids.length; done += BATCH)
      await db.rowTransaction((sql) => this.#sendAgain(sql, order, ids.slice(done, done + BATCH)));
  }

  async #sendAgain(sql: Sql, { accountId, states, at }: ReplayOrder, ids: readonly string[]): Promise<void> {
    const still = replayed(states, '$3').map(({ which }) => which);
    await sql.query(
      `with picked as (
         select d.developer_id, d.id from webhook_deliveries d
         where d.developer_id = $1 and d.id = any($2) and (${still.join(' or ')})
         order by d.id for no key update)
       update webhook_deliveries d set state = 'waiting', position = 0, trigger = 'replay', next_attempt_at = $4
       from picked where (d.developer_id, d.id) = (picked.developer_id, picked.id)`,
      [accountId, ids, at, this.#deps.clock.now()],
    );
    await wakeWorkers(sql);
  }

  async #endpoint(sql: Sql, accountId: string, id: string): Promise<{ enabled: boolean }> {
    const [found] = await sql.query<{ enabled: boolean }>(
      'select enabled from webhook_endpoints where developer_id = $1 and id = $2 and listens_until is null',
      [accountId, id],
    );
    if (!found) throw notFound('Webhook');
    return found;
  }
}

/** SQL of what to replay of these states as it was at a time, each with the order in which an index has it. */
function replayed(states: readonly DeliveryState[], at: string): { which: string; order: string }[] {
  const ended = states.filter((state) => state !== 'waiting').map((state) => `'${state}'`);
  return [
    ...(ended.length === 0
      ? []
      : [
          {
            which: `d.state in (${ended.join(', ')}) and (d.last_attempt_at is null or d.last_attempt_at <= ${at})`,
            order: 'd.id',
          },
        ]),
    // one that waits has failed before, and is not due yet
    ...(ended.length === states.length
      ? []
      : [
          {
            which: `d.state = 'waiting' and d.next_attempt_at > ${at} and d.last_attempt_at <= ${at}`,
            order: 'd.next_attempt_at',
          },
        ]),
  ];
}

/** The ids of what an order is about, so many of them at most, in the order of the events. */
async function matching(sql: Sql, order: ReplayOrder, most: number): Promise<string[]> {
  const each = replayed(order.states, '$5::timestamptz').map(
    ({ which, order: by }) => `(select d.id from webhook_deliveries d where d.developer_id = $1 and d.endpoint_id = $2
      and ${startingAt('$3::timestamptz')} and d.created_at < $4::timestamptz and d.id < ${idsFrom(`$4::timestamptz + ${APART}`)}
      and ${which} order by ${by} limit ${most})`,
  );
  const found = await sql.query<{ id: string }>(`select few.id from (${each.join(' union all ')}) few limit ${most}`, [
    order.accountId,
    order.endpointId,
    order.since,
    order.until,
    order.at,
  ]);
  return found.map(({ id }) => id).sort();
}

const off = () => new AppError('domain_rule', 'This webhook is off. Switch it on first.');
