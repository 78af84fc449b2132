import { z } from 'zod';
import { Cursor, Id, Limit, MOMENT, Moment, Time } from '#platform/http/schemas.ts';
import { eventTypes } from '../events/catalog.ts';

export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const triggers = ['schedule', 'manual', 'replay'] as const;
export type Trigger = (typeof triggers)[number];

const State = z
  .enum(deliveryStates)
  .describe(
    '`waiting` for an attempt; `delivered`; `failed`, with all attempts used up; `skipped`, because the webhook was off.',
  );
const EventName = z.enum(eventTypes).describe('The event’s type.');

export const DeliveriesQuery = z.object({
  state: State.optional(),
  type: EventName.optional(),
  from: Moment.optional().describe(`Only deliveries of events from then on: ${MOMENT}.`),
  limit: Limit,
  cursor: Cursor,
});
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;

const delivery = {
  id: Id,
  endpoint_id: Id.describe('The webhook.'),
  event_id: Id.describe('The event: the `webhook-id` of all its attempts.'),
  type: z.string().describe('The event’s type.'),
  is_test: z.boolean().describe('Whether it was sent by hand.'),
  state: State,
  attempts: z.int().describe('How many attempts were made.'),
  next_attempt_at: Time.nullable().describe('When the next attempt is due; null: there is none.'),
  last_attempt_at: Time.nullable().describe('When the last attempt was made; null: there was none.'),
  last_status: z.int().nullable().describe('The HTTP status of the last attempt; null: no answer came.'),
  last_error: z.string().nullable().describe('One word of why the last attempt failed; null: it did not.'),
  delivered_at: Time.nullable().describe('When it was first answered with success; null: never.'),
  created_at: Time,
};
export const DeliveryView = z.object(delivery).meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.output<typeof DeliveryView>;

export const DeliveryPage = z
  .object({
    rows: z.array(DeliveryView).describe('The deliveries, newest first.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'WebhookDeliveries' });

export const AttemptView = z
  .object({
    n: z.int().describe('Of the delivery’s attempts, from 1.'),
    trigger: z.enum(triggers).describe('Why it was made: by the schedule, by hand, or by a replay.'),
    started_at: Time,
    duration_ms: z.int().describe('How long it took, in milliseconds.'),
    status: z.int().nullable().describe('The HTTP status of the answer; null: none came.'),
    error: z.string().nullable().describe('One word of why it failed; null: it did not.'),
    request_headers: z.record(z.string(), z.string()).describe('The headers that were sent.'),
    response_headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe('The headers of the answer, without cookies; null: none came, or they are erased with a customer.'),
    response_text: z
      .string()
      .nullable()
      .describe('How the body of the answer begins, its first 2 kB; null: none came, or it is erased with a customer.'),
  })
  .meta({ id: 'WebhookAttempt' });
export type AttemptView = z.output<typeof AttemptView>;

export const DeliveryDetail = z
  .object({
    ...delivery,
    url: z.string().describe('Where the next attempt goes.'),
    body: z.string().describe('The body, byte by byte as it is sent.'),
    history: z.array(AttemptView).describe('The attempts, newest first; at most 100.'),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetail = z.output<typeof DeliveryDetail>;

export const ReplayBody = z
  .strictObject({
    since: Moment.describe(`Only deliveries of events from then on: ${MOMENT}.`),
    until: Moment.nullish().describe(
      'Only deliveries of events before then, which must be after `since`; a day means its end; null: until now.',
    ),
    state: z
      .enum(['undelivered', ...deliveryStates])
      .default('undelivered')
      .describe(
        'Which ones: `undelivered` are all but the delivered; `waiting` are those that failed and wait for another attempt, which is made at once.',
      ),
  })
  .meta({ id: 'ReplayWebhook' });
export type ReplayBody = z.output<typeof ReplayBody>;

export const Replay = z
  .object({
    matching: z.int().describe('How many will be sent again: at most 10,000.'),
    more: z.boolean().describe('Whether there are more than that: replay the rest once these are through.'),
  })
  .meta({ id: 'WebhookReplay' });
