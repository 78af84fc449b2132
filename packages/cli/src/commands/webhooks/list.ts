import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';
import { stateOf } from './state.ts';

export const webhooksList = defineCommand({
  path: 'webhooks list',
  summary: 'List webhooks',
  operations: ['listWebhooks'],
  examples: ['tonerow webhooks list'],
  async run({ context }) {
    const { webhooks } = await (await context.api()).listWebhooks({}, context.call);
    const rows = webhooks.map((each) => [
      each.id,
      each.url,
      each.events.join(','),
      stateOf(each),
      each.waiting,
      each.replayable,
    ]);
    await context.print(
      webhooks,
      webhooks.length === 0
        ? 'No webhooks yet. Create one: tonerow webhooks create\n'
        : table(['ID', 'ADDRESS', 'EVENTS', 'STATE', 'WAITING', 'MISSED'], rows),
    );
  },
});
