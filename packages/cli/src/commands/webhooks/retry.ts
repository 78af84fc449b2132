import { defineCommand } from '#define/define-command.ts';
import { printAttempt } from './outcome.ts';

export const webhooksRetry = defineCommand({
  path: 'webhooks retry',
  summary: 'Send a delivery again, now, and show what came back',
  operations: ['retryWebhookDelivery', 'getWebhookDelivery'],
  args: [['<delivery>', 'its id, as "tonerow webhooks deliveries" shows it']],
  examples: ['tonerow webhooks retry 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const api = await context.api();
    const queued = await api.retryWebhookDelivery({ path: { id } }, context.call);
    await printAttempt(context, api, id, queued.attempts);
  },
});
