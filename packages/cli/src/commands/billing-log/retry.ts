import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printStory } from './story.ts';

export const billingLogRetry = defineCommand({
  path: 'billing-log retry',
  summary: 'Charge an unpaid invoice again, now (admins)',
  operations: ['retryBillingStatement'],
  args: [['<id>', 'of the invoice, as in the log']],
  options: YES,
  examples: ['tonerow billing-log retry 01900000-0000-7000-8000-000000000000 --yes'],
  async run({ context, args: [id], options }) {
    await context.confirm(options.yes, 'Charge the invoice again?');
    await printStory(context, await (await context.api()).retryBillingStatement({ path: { id } }, context.call));
  },
});
