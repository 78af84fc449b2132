import type { InputOf } from '@tonerow/sdk';
import { updateWebhookSignature } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice, onOff, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { counted } from '#output/table.ts';
import { withNames } from './event-names.ts';
import { eventsOf, WHICH, webhookOf } from './options.ts';
import { stateOf } from './state.ts';

type Events = NonNullable<InputOf<'updateWebhook'>['body']['events']>;

export const webhooksUpdate = defineCommand({
  path: 'webhooks update',
  summary: 'Change, pause or resume a webhook',
  operations: ['updateWebhook', 'listWebhookEventTypes'],
  shows: ['updateWebhook'],
  args: [...WHICH],
  options: {
    address: text('<url>', 'where the events are sent from now on'),
    events: text('<names>', 'types, families such as serial.*, or *; separated by commas'),
    description: text('<text>', 'what it is for'),
    signature: choice('<kind>', 'v1: by a secret; v1a: by a public key', { values: updateWebhookSignature }),
    personal: onOff('send names and email addresses of customers, too'),
    codes: onOff('whether events name the codes of serials'),
    active: onOff('off: events are recorded, and can be replayed for 30 days'),
  },
  examples: [
    'tonerow webhooks update https://example.com/hooks --active off',
    'tonerow webhooks update https://example.com/hooks --address https://example.com/events',
  ],
  async run({ context, args: [which], options }) {
    const body = {
      url: options.address,
      events: options.events === undefined ? undefined : eventsOf<Events[number]>(options.events),
      description: options.description,
      signature: options.signature,
      include_personal: options.personal,
      include_codes: options.codes,
      enabled: options.active,
    };
    if (Object.values(body).every((value) => value === undefined))
      throw new UsageError(
        'Give at least one of --address, --events, --description, --signature, --personal, --codes, --active.',
      );
    const { api, id } = await webhookOf(context, which);
    const send = () => api.updateWebhook({ path: { id }, body }, context.call);
    const webhook = await withNames(context, api, body.events ?? [], send);
    await context.print(webhook, `${webhook.url}: ${stateOf(webhook)}\n`);
    if (options.signature === 'v1')
      context.note(
        `It signs with its secret. If you do not have that, "tonerow webhooks rotate ${id}" shows a new one.`,
      );
    if (options.active && webhook.replayable > 0)
      context.note(
        `It has missed ${counted(webhook.replayable, 'delivery', 'deliveries')}: "tonerow webhooks replay ${id} --since 30d" sends them.`,
      );
  },
});
