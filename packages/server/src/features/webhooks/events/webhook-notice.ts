import { z } from 'zod';
import { Id } from '#platform/http/schemas.ts';

/** An event was recorded for webhooks: it is, or soon will be, in the feed. */
export const WebhookNotice = z.object({
  type: z.literal('webhook'),
  data: z.object({
    event_id: Id.describe('The event, as in the feed.'),
    event: z.string().describe('Its type, such as `serial.redeemed`.'),
  }),
});

/** An endpoint fails, or was switched off. */
export const WebhookFailing = z.object({
  type: z.literal('webhook_failing'),
  data: z.object({
    endpoint_id: Id.describe('The webhook.'),
    host: z.string().describe('Where it is, without the path, which may be a secret.'),
    since: z.string().describe('When the failures began.'),
    disabled: z.boolean().describe('Whether it has been switched off.'),
  }),
});
export type WebhookFailing = z.output<typeof WebhookFailing>;
