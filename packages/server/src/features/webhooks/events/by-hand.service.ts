import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import { noticeSql } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import { limits as policies } from '../limits.ts';
import { refuseStrange, sampleFor, typesFor } from './audience.ts';
import { byNameOnly, catalog, type EventType, patternsFor } from './catalog.ts';
import { objectIdsOf, partsOf, THIS_TRANSACTION } from './record.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
  limits: RateLimits;
}

interface Target {
  id: string;
  enabled: boolean;
  listens: boolean;
}

const MOST_BYTES = 20_000;

/** Events that somebody sends by hand to try out a receiver. They are marked as tests. */
export class EventsByHand {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Every type that this account can get, with a sample. */
  types(caller: Pick<Principal, 'role'>) {
    return typesFor(caller).map((type) => ({
      type,
      about: catalog[type].about,
      by_name_only: byNameOnly.includes(type),
      sample: sampleFor(caller, type),
    }));
  }

  /**
   * Sends one event to one endpoint.
   * @param eventId a repeat with the same id sends nothing again.
   * @throws {AppError} not_found; domain_rule when it is off; invalid_request for a type that the account never gets.
   */
  async test(caller: Principal, eventId: string, endpointId: string, type: EventType = 'webhook.test') {
    const { db, limits } = this.#deps;
    refuseStrange(caller, [type], 'type');
    await limits.take(policies.webhook_sends, caller.userId);
    const sample = sampleFor(caller, type);
    const data = type === 'webhook.test' ? { ...sample, endpoint_id: endpointId } : sample;
    return db.rowTransaction(async (sql) => {
      const [endpoint] = await sql.query<Target>(
        `select e.id, e.enabled, false as listens from webhook_endpoints e
         where e.developer_id = $1 and e.id = $2 and e.listens_until is null`,
        [caller.userId, endpointId],
      );
      if (!endpoint) throw notFound('Webhook');
      if (!endpoint.enabled) throw new AppError('domain_rule', 'This webhook is off. Switch it on first.');
      return this.#send(sql, caller.userId, { id: eventId, type, data }, [endpoint]);
    });
  }

  /**
   * Sends a sample, with the given data in it, to everything that asks for events of this type.
   * @param eventId as in {@link test}.
   * @throws {AppError} domain_rule when nothing does; invalid_request for data that such an event never has, or a type that the account
   * never gets.
   */
  async trigger(caller: Principal, eventId: string, form: { type: EventType; data: Record<string, unknown> }) {
    const { db, clock, limits } = this.#deps;
    const { type } = form;
    refuseStrange(caller, [type], 'type');
    const data = { ...sampleFor(caller, type), ...form.data };
    const checked = catalog[type].data.strict().safeParse(data);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
      throw invalidField(['data', ...(issue?.path ?? []), ...unknown].join('.'), issue?.message ?? 'Not valid.');
    }
    if (Buffer.byteLength(JSON.stringify(data)) > MOST_BYTES) throw invalidField('data', 'Use at most 20 kB.');
    await limits.take(policies.webhook_sends, caller.userId);
    return db.rowTransaction(async (sql) => {
      const targets = await sql.query<Target>(
        `select e.id, e.enabled, e.listens_until is not null as listens from webhook_endpoints e
         where e.developer_id = $1 and e.events && $2::text[] and (e.listens_until is null or e.listens_until > $3)`,
        [caller.userId, patternsFor(type), clock.now()],
      );
      if (targets.length === 0) throw new AppError('domain_rule', `No webhook asks for ${type}.`);
      return this.#send(sql, caller.userId, { id: eventId, type, data }, targets);
    });
  }

  async #send(
    sql: Sql,
    accountId: string,
    { id, type, data }: { id: string; type: EventType; data: object },
    targets: readonly Target[],
  ) {
    const { clock, random } = this.#deps;
    const now = clock.now();
    const { shown, personal } = partsOf(data);
    const made = await sql.query(
      `insert into webhook_events (developer_id, id, type, occurred_at, data, personal, object_ids, is_test, xid)
       values ($1, $2, $3, $4, $5, $6, $7, true, ${THIS_TRANSACTION}) on conflict (id, developer_id) do nothing returning id`,
      [accountId, id, type, now, shown, personal, objectIdsOf(data)],
    );
    const endpoints = made.length === 0 ? [] : targets.filter(({ listens }) => !listens);
    await sql.query(
      `insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, trigger, next_attempt_at, created_at)
       select $1, t.id, t.endpoint_id, $2, $7, case when t.enabled then 'waiting' else 'skipped' end, 'manual',
         case when t.enabled then $3::timestamptz end, $3 from unnest($4::uuid[], $5::uuid[], $6::boolean[]) as t (id, endpoint_id, enabled)`,
      [
        accountId,
        id,
        now,
        endpoints.map(() => random.id()),
        endpoints.map((each) => each.id),
        endpoints.map(({ enabled }) => enabled),
        type,
      ],
    );
    await sql.query(
      `select ${noticeSql('$1::text', 'webhook', "json_build_object('event_id', $2::text, 'event', $3::text)")}`,
      [accountId, id, type],
    );
    const deliveries = await sql.query<{ id: string }>(
      'select id from webhook_deliveries where developer_id = $1 and event_id = $2 order by id',
      [accountId, id],
    );
    return { event_id: id, delivery_ids: deliveries.map((each) => each.id) };
  }
}
