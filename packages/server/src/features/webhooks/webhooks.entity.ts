import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import type { DeliveryState, Trigger } from './delivery/deliveries.schemas.ts';
import type { DisabledReason, SignatureKind } from './endpoints/endpoints.schemas.ts';

/**
 * A webhook: the address at which an account, developer or reseller, wants its events. With `listensUntil` it is a
 * listener instead: a terminal that reads the feed, to which nothing is sent.
 */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    url: p.text(),
    description: p.text(),
    /** Types, families such as `serial.*`, or `*`. */
    events: p.array().columnType('text[]'),
    signature: p.string().$type<SignatureKind>(),
    includePersonal: p.boolean(),
    /** Whether events name the codes of serials. */
    includeCodes: p.boolean().default(true),
    /** Empty for a listener. */
    secret: p.blob(),
    /** Signs beside the new one until `previousUntil`. */
    previousSecret: p.blob().nullable(),
    previousUntil: p.datetime(3).nullable(),
    enabled: p.boolean(),
    disabledReason: p.string().$type<DisabledReason>().nullable(),
    disabledAt: p.datetime(3).nullable(),
    /** The first failure since the last success; null: the last attempt was one, or there was none. */
    firstFailureAt: p.datetime(3).nullable(),
    lastFailureAt: p.datetime(3).nullable(),
    /** Up to ten seconds behind while all is well. */
    lastSuccessAt: p.datetime(3).nullable(),
    /** How many of the warnings about these failures have been sent. */
    warned: p.integer().default(0),
    /** It timed out, or took long: one request at a time until it answers quickly. */
    slow: p.boolean().default(false),
    /** The process that sends to it. */
    leasedBy: p.uuid().nullable(),
    /** When that lease ends: no other process sends to it before. Without a process: when its last turn ended. */
    leasedUntil: p.datetime(3).nullable(),
    listensUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'webhook_endpoints_account_index',
      expression: 'create index webhook_endpoints_account_index on webhook_endpoints (developer_id)',
    },
    {
      name: 'webhook_endpoints_failing_index',
      expression:
        'create index webhook_endpoints_failing_index on webhook_endpoints (first_failure_at) where first_failure_at is not null',
    },
  ],
  checks: [
    { name: 'webhook_endpoints_signature_check', expression: "signature in ('v1', 'v1a')" },
    { name: 'webhook_endpoints_disabled_check', expression: 'enabled = (disabled_reason is null)' },
    {
      name: 'webhook_endpoints_previous_check',
      expression: '(previous_secret is null) = (previous_until is null)',
    },
  ],
});
export type WebhookEndpoint = InferEntity<typeof WebhookEndpoint>;

/**
 * Something that happened to an account that has an endpoint for it. Append-only but for personal data; kept for 30 days. There is
 * no foreign key to the account, whose check would cost a tenth of recording it: accounts are never removed.
 */
export const WebhookEvent = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_events',
  properties: {
    /** The `webhook-id`. */
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    type: p.text(),
    occurredAt: p.datetime(3),
    /** JSON as it is sent: jsonb would change the order of the fields between the tests and the receiver. */
    data: p.text(),
    /** JSON of what is added for endpoints that asked for personal data; null: there is none, or it was erased. */
    personal: p.text().nullable(),
    /** What the event is about. */
    objectIds: p.array().columnType('uuid[]'),
    isTest: p.boolean().default(false),
    /** The transaction that wrote it: the feed shows only what no running transaction can still come before. */
    xid: p.bigint('number'),
  },
  indexes: [
    {
      name: 'webhook_events_feed_index',
      expression: `create index webhook_events_feed_index on webhook_events (developer_id, xid, id) where ${ofLists('occurred_at')}`,
    },
    { name: 'webhook_events_expiry_index', properties: ['occurredAt'] },
  ],
});
export type WebhookEvent = InferEntity<typeof WebhookEvent>;

/**
 * An event on its way to an endpoint with its last attempt, written again only when one has ended. There is no foreign key to the
 * endpoint, because deleting one would wait for a million rows: a job removes them. Nor is there one to the event, whose check
 * would cost a tenth of recording it: one statement writes both, and what deletes events deletes their deliveries first.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    endpointId: p.uuid(),
    eventId: p.uuid(),
    /** The event's, so that a list of one type reads no events. */
    type: p.text(),
    state: p.string().$type<DeliveryState>(),
    attempts: p.integer().default(0),
    /** How many attempts of the schedule are used up. */
    position: p.integer().default(0),
    /** Why the next attempt is made. */
    trigger: p.string().$type<Trigger>().default('schedule'),
    nextAttemptAt: p.datetime(3).nullable(),
    lastStatus: p.integer().nullable(),
    lastError: p.text().nullable(),
    lastAttemptAt: p.datetime(3).nullable(),
    /** The trigger of the last attempt; null: there was none. */
    lastTrigger: p.string().$type<Trigger>().nullable(),
    lastDurationMs: p.integer().nullable(),
    signature: p.text().nullable(),
    /** JSON. */
    responseHeaders: p.text().nullable(),
    responseText: p.text().nullable(),
    deliveredAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'webhook_deliveries_unique', properties: ['eventId', 'developerId', 'endpointId'] }],
  indexes: [
    {
      name: 'webhook_deliveries_waiting_index',
      properties: ['endpointId', 'nextAttemptAt'],
      where: "state = 'waiting'",
    },
    { name: 'webhook_deliveries_list_index', properties: ['endpointId', 'id'] },
    // few of very many, which are counted and sent again
    {
      name: 'webhook_deliveries_undelivered_index',
      properties: ['endpointId', 'id'],
      where: "state in ('failed', 'skipped')",
    },
  ],
  checks: [
    {
      name: 'webhook_deliveries_state_check',
      expression: "state in ('waiting', 'delivered', 'failed', 'skipped')",
    },
    {
      name: 'webhook_deliveries_next_check',
      expression: "(state = 'waiting') = (next_attempt_at is not null)",
    },
  ],
});
export type WebhookDelivery = InferEntity<typeof WebhookDelivery>;

/**
 * A request of a delivery before its last one, and what came back. There is no foreign key, as with deliveries: what deletes
 * those deletes their attempts.
 */
export const WebhookAttempt = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempts',
  properties: {
    deliveryId: p.uuid().primary(),
    developerId: p.uuid().primary(),
    /** Its number among the delivery's attempts, from 1. */
    n: p.integer().primary(),
    trigger: p.string().$type<Trigger>(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    /** Null: no answer came. */
    status: p.integer().nullable(),
    /** One word of why it failed; null: it did not. */
    error: p.text().nullable(),
    /** The signature. Its headers are made of it, the event's id and the time. */
    signature: p.text(),
    /** JSON. */
    responseHeaders: p.text().nullable(),
    responseText: p.text().nullable(),
  },
});
export type WebhookAttempt = InferEntity<typeof WebhookAttempt>;

/** How many attempts of an endpoint succeeded and failed on a day (UTC). */
export const WebhookDay = defineEntity({
  name: 'WebhookDay',
  tableName: 'webhook_days',
  properties: {
    endpointId: p.uuid().primary(),
    developerId: p.uuid().primary(),
    day: p.date().primary(),
    delivered: p.integer(),
    failed: p.integer(),
  },
  indexes: [{ name: 'webhook_days_expiry_index', properties: ['day'] }],
});
export type WebhookDay = InferEntity<typeof WebhookDay>;

/** An account's Ed25519 key for `v1a` signatures: apart from the one that signs licenses. `id` is the JWK's `kid`. */
export const WebhookKey = defineEntity({
  name: 'WebhookKey',
  tableName: 'webhook_keys',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    /** The raw 32 bytes. */
    publicKey: p.blob(),
    /** PKCS #8 DER, sealed. */
    privateKey: p.blob(),
    createdAt: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'webhook_keys_current_unique', properties: ['developerId'], where: 'retired_at is null' }],
});
export type WebhookKey = InferEntity<typeof WebhookKey>;
