import { sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import { limits as policies } from '../limits.ts';
import type { WebhooksDb, WebhooksHandle } from '../tables.ts';
import { refuseUnknownEvents, sampleFor, typesFor } from './audience.ts';
import { byNameOnly, catalog, type EventType, patternsFor } from './catalog.ts';
import { notifyRecorded, objectIdsOf, partsOf, THIS_TRANSACTION } from './record.ts';

interface Dependencies {
  db: WebhooksDb;
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
    refuseUnknownEvents(caller, [type], 'type');
    await limits.take(policies.webhook_sends, caller.accountId);
    const sample = sampleFor(caller, type);
    const data = type === 'webhook.test' ? { ...sample, endpoint_id: endpointId } : sample;
    return db.work({ tx: true }, async (tx) => {
      const endpoint = await targets(tx, caller.accountId)
        .where('id', '=', endpointId)
        .where('listens_until', 'is', null)
        .executeTakeFirst();
      if (!endpoint) throw notFound('Webhook');
      if (!endpoint.enabled) throw new AppError('domain_rule', 'This webhook is off. Switch it on first.');
      return this.#send(tx, caller.accountId, { id: eventId, type, data }, [endpoint]);
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
    refuseUnknownEvents(caller, [type], 'type');
    const data = { ...sampleFor(caller, type), ...form.data };
    const checked = catalog[type].data.strict().safeParse(data);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
      throw invalidField(['data', ...(issue?.path ?? []), ...unknown].join('.'), issue?.message ?? 'Not valid.');
    }
    if (Buffer.byteLength(JSON.stringify(data)) > MOST_BYTES) throw invalidField('data', 'Use at most 20 kB.');
    await limits.take(policies.webhook_sends, caller.accountId);
    return db.work({ tx: true }, async (tx) => {
      const asking = await targets(tx, caller.accountId)
        .where(sql<boolean>`events && ${patternsFor(type)}::text[]`)
        .where(({ eb, or }) => or([eb('listens_until', 'is', null), eb('listens_until', '>', clock.now())]))
        .execute();
      if (asking.length === 0) throw new AppError('domain_rule', `No webhook asks for ${type}.`);
      return this.#send(tx, caller.accountId, { id: eventId, type, data }, asking);
    });
  }

  async #send(
    tx: WebhooksHandle,
    accountId: string,
    { id, type, data }: { id: string; type: EventType; data: object },
    endpoints: readonly Target[],
  ) {
    const { clock, random } = this.#deps;
    const now = clock.now();
    const { shown, personal } = partsOf(data);
    const made = await tx
      .insertInto('webhook_events')
      .values({
        developer_id: accountId,
        id,
        type,
        occurred_at: now,
        data: shown,
        personal,
        object_ids: objectIdsOf(data),
        is_test: true,
        xid: THIS_TRANSACTION,
      })
      .onConflict((on) => on.columns(['id', 'developer_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    const reached = made ? endpoints.filter(({ listens }) => !listens) : [];
    if (reached.length > 0)
      await tx
        .insertInto('webhook_deliveries')
        .values(
          reached.map((endpoint) => ({
            developer_id: accountId,
            id: random.id(),
            endpoint_id: endpoint.id,
            event_id: id,
            type,
            state: endpoint.enabled ? ('waiting' as const) : ('skipped' as const),
            trigger: 'manual' as const,
            next_attempt_at: endpoint.enabled ? now : null,
            created_at: now,
          })),
        )
        .execute();
    await notifyRecorded(tx, { account: accountId, id, type });
    const deliveries = await tx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('developer_id', '=', accountId)
      .where('event_id', '=', id)
      .orderBy('id')
      .execute();
    return { event_id: id, delivery_ids: deliveries.map((each) => each.id) };
  }
}

const targets = (tx: WebhooksHandle, accountId: string) =>
  tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'enabled', sql<boolean>`listens_until is not null`.as('listens')])
    .where('developer_id', '=', accountId);
