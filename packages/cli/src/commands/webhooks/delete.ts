import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { WHICH } from './options.ts';

export const webhooksDelete = defineCommand({
  path: 'webhooks delete',
  summary: 'Delete a webhook with its deliveries',
  operations: ['deleteWebhook'],
  args: [...WHICH],
  options: YES,
  examples: ['tonerow webhooks delete 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    await context.confirm(options.yes, 'Delete this webhook permanently? What waits for it is not sent.');
    await api.deleteWebhook({ path: { id } }, context.call);
    context.note('The webhook has been deleted.');
  },
});
