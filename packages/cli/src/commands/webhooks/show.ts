import { defineCommand } from '#define/define-command.ts';
import { list } from '#output/table.ts';
import { WHICH, webhookOf } from './options.ts';
import { stateOf } from './state.ts';

export const webhooksShow = defineCommand({
  path: 'webhooks show',
  summary: 'Show a webhook and its last seven days',
  operations: ['getWebhook'],
  args: [...WHICH],
  examples: ['tonerow webhooks show https://example.com/hooks'],
  async run({ context, args: [which] }) {
    const { api, id } = await webhookOf(context, which);
    const webhook = await api.getWebhook({ path: { id } }, context.call);
    const days = webhook.days.map(({ day, delivered, failed }) => `${day}  ${delivered} delivered, ${failed} failed\n`);
    const human = list([
      ['Address', webhook.url],
      ['Description', webhook.description],
      ['Events', webhook.events.join(', ')],
      ['State', stateOf(webhook)],
      ['Signature', webhook.signature],
      ['Public key', webhook.public_key],
      ['Personal data', webhook.include_personal],
      ['Codes of serials', webhook.include_codes],
      ['Waiting', webhook.waiting],
      ['Missed', webhook.replayable],
    ]);
    await context.print(webhook, `${human}\n${days.join('')}`);
  },
});
