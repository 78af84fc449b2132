import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';

export const webhooksTypes = defineCommand({
  path: 'webhooks types',
  summary: 'List the types of events, with a sample of each in --json',
  operations: ['listWebhookEventTypes'],
  examples: ['tonerow webhooks types'],
  async run({ context }) {
    const { types } = await (await context.api()).listWebhookEventTypes({}, context.call);
    const rows = types.map(({ type, about }) => [type, about]);
    await context.print(types, table(['TYPE', 'WHEN'], rows));
  },
});
