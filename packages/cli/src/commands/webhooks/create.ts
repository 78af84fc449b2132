import type { InputOf } from '@tonerow/sdk';
import { createWebhookSignature } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice, flag, onOff, text } from '#define/option-types.ts';
import { withNames } from './event-names.ts';
import { eventsOf } from './options.ts';

type Events = InputOf<'createWebhook'>['body']['events'];

export const webhooksCreate = defineCommand({
  path: 'webhooks create',
  summary: 'Create a webhook; its secret is shown once',
  operations: ['createWebhook', 'listWebhookEventTypes'],
  shows: ['createWebhook'],
  once: true,
  args: [['<url>', 'where the events are sent, such as https://example.com/hooks']],
  options: {
    events: text('<names>', 'types, families such as serial.*, or *; separated by commas', { fallback: '*' }),
    description: text('<text>', 'what it is for'),
    signature: choice('<kind>', 'v1: by a secret; v1a: by a public key', {
      values: createWebhookSignature,
      fallback: 'v1',
    }),
    personal: flag('send names and email addresses of customers, too'),
    codes: onOff('whether events name the codes of serials'),
  },
  examples: [
    'tonerow webhooks create https://example.com/hooks',
    "tonerow webhooks create https://example.com/hooks --events 'serial.*,stock.low' --personal",
  ],
  async run({ context, args: [url], options }) {
    const body = {
      url,
      events: eventsOf<Events[number]>(options.events),
      description: options.description,
      signature: options.signature,
      include_personal: options.personal,
      include_codes: options.codes,
    };
    const api = await context.api();
    const made = await withNames(context, api, body.events, () => api.createWebhook({ body }, context.call));
    if (made.secret) context.mask(made.secret);
    await context.print(made, `${made.secret ?? made.webhook.public_key}\n`);
    context.note(
      made.secret
        ? `Webhook ${made.webhook.id} created. Store its secret now: it is never shown again.`
        : `Webhook ${made.webhook.id} created. The key above is public, and verifies its signatures.`,
    );
  },
});
