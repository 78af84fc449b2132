import { defineCommand } from '#define/define-command.ts';
import { printStory } from './story.ts';

export const billingLogShow = defineCommand({
  path: 'billing-log show',
  summary: 'Show the whole story of an invoice (admins)',
  operations: ['getBillingStory'],
  args: [['<id>', 'of the invoice, as in the log']],
  examples: ['tonerow billing-log show 01900000-0000-7000-8000-000000000000'],
  async run({ context, args: [id] }) {
    await printStory(context, await (await context.api()).getBillingStory({ path: { id } }, context.call));
  },
});
