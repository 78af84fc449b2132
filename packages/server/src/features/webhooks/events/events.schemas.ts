import { z } from 'zod';
import { Id, Limit, Time } from '#platform/http/schemas.ts';
import { EventNames } from '../endpoints/endpoints.schemas.ts';
import { eventTypes } from './catalog.ts';

const Data = z.record(z.string(), z.unknown());

export const EventTypes = z
  .object({
    types: z
      .array(
        z.object({
          type: z.string().describe('The type, as a webhook asks for it.'),
          about: z.string().describe('What it means.'),
          by_name_only: z
            .boolean()
            .describe('Whether `*` and its family leave it out, because it can come every minute.'),
          sample: Data.describe('The data of such an event.'),
        }),
      )
      .describe('What the account can be told.'),
  })
  .meta({ id: 'WebhookEventTypes' });

export const TriggerBody = z
  .strictObject({
    type: z.enum(eventTypes).describe('The type.'),
    data: Data.default({}).describe('Fields that differ from the sample.'),
  })
  .meta({ id: 'TriggerWebhookEvent' });

export const Triggered = z
  .object({
    event_id: Id.describe('The event: its `webhook-id`.'),
    delivery_ids: z.array(Id).describe('Its deliveries, one for each webhook that asks for it.'),
  })
  .meta({ id: 'TriggeredWebhookEvent' });

export const EventsQuery = z.object({
  after: Id.optional().describe('The last event that was read; without it, from the oldest one of the last 30 days.'),
  type: z.enum(eventTypes).optional().describe('Only events of this type.'),
  object_id: Id.optional().describe('Only events about what has this id: a serial, a product, a customer.'),
  include_personal: z
    .stringbool()
    .default(false)
    .meta({ type: 'boolean', default: false })
    .describe('With names and email addresses of customers.'),
  limit: Limit,
});
export type EventsQuery = z.output<typeof EventsQuery>;

export const EventPage = z
  .object({
    events: z
      .array(
        z
          .object({
            id: Id.describe('The event: the `webhook-id` of its deliveries.'),
            type: z.string().describe('Its type.'),
            timestamp: Time.describe('When it happened.'),
            test: z.boolean().describe('Whether it was sent by hand.'),
            data: Data.describe('What happened, as it is sent to webhooks.'),
          })
          .meta({ id: 'WebhookEvent' }),
      )
      .describe(
        'The events in the order in which they became visible: one that is read is never followed by an earlier one.',
      ),
    next_after: Id.nullable().describe(
      'What to send as `after` next time: the last event that was looked at, also when a filter left it out; null: there is no event yet.',
    ),
    has_more: z.boolean().describe('Whether there are more right now.'),
  })
  .meta({ id: 'WebhookEvents' });

export const ListenerBody = z.strictObject({ events: EventNames }).meta({ id: 'CreateWebhookListener' });

export const Listener = z
  .object({
    id: Id.describe('The listener.'),
    expires_at: Time.describe('Until when it listens, unless it is renewed.'),
    after: Id.nullable().describe('The newest event until now: read the feed after it.'),
  })
  .meta({ id: 'WebhookListener' });
