import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { WHICH, webhookOf } from './options.ts';

export const webhooksDelete = defineCommand({
  path: 'webhooks delete',
  summary: 'Delete a webhook with its deliveries',
  operations: ['deleteWebhook', 'getWebhook'],
  args: [...WHICH],
  options: SURE,
  examples: ['tonerow webhooks delete https://example.com/hooks --yes'],
  async run({ context, args: [which], options }) {
    const { api, id } = await webhookOf(context, which);
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
