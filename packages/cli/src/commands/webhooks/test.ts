import type { InputOf } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { withNames } from './event-names.ts';
import { WHICH, webhookOf } from './options.ts';
import { printAttempt } from './outcome.ts';

type Type = InputOf<'testWebhook'>['body']['type'];

export const webhooksTest = defineCommand({
  path: 'webhooks test',
  summary: 'Send a test to one webhook, and show what came back',
  operations: ['testWebhook', 'getWebhookDelivery', 'listWebhookEventTypes'],
  shows: ['getWebhookDelivery'],
  args: [...WHICH],
  options: { type: text('<type>', 'a sample of this type', { fallback: 'webhook.test' }) },
  examples: ['tonerow webhooks test https://example.com/hooks'],
  async run({ context, args: [which], options }) {
    const { api, id } = await webhookOf(context, which);
    const send = () => api.testWebhook({ path: { id }, body: { type: options.type as Type } }, context.call);
    const sent = await withNames(context, api, [options.type], send);
    await printAttempt(context, api, sent.delivery_ids[0] as string);
  },
});
