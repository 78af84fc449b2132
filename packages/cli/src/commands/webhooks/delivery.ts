import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';
import { textOf } from './outcome.ts';

export const webhooksDelivery = defineCommand({
  path: 'webhooks delivery',
  summary: 'Show a delivery: its body, and its attempts with what came back',
  operations: ['getWebhookDelivery'],
  args: [['<delivery>', 'its id, as "tonerow webhooks deliveries" shows it']],
  examples: ['tonerow webhooks delivery 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const delivery = await (await context.api()).getWebhookDelivery({ path: { id } }, context.call);
    const attempts = delivery.history.map((each) => [
      each.n,
      each.started_at,
      each.trigger,
      each.status ?? each.error,
      `${each.duration_ms} ms`,
    ]);
    const human = [
      textOf(delivery),
      attempts.length > 0 ? table(['#', 'STARTED', 'WHY', 'ANSWER', 'TOOK'], attempts) : '',
      `${delivery.body}\n`,
    ];
    await context.print(delivery, human.filter((part) => part !== '').join('\n'));
  },
});
