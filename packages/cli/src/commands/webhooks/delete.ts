import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { WHICH } from './options.ts';

export const webhooksDelete = defineCommand({
  path: 'webhooks delete',
  summary: 'Delete a webhook with its deliveries',
  operations: ['deleteWebhook', 'getWebhook'],
  args: [...WHICH],
  options: SURE,
  examples: ['tonerow webhooks delete 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Delete this webhook permanently? What waits for it is not sent.',
      look: () => api.getWebhook({ path: { id } }, context.call),
      would: ({ url, waiting }) => `The webhook to ${url} would be deleted, with ${waiting} waiting events.`,
    });
    if (!sure) return;
    await api.deleteWebhook({ path: { id } }, context.call);
    context.note('The webhook has been deleted.');
  },
});
