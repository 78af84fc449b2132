import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printStory } from './story.ts';

export const billingLogVoid = defineCommand({
  path: 'billing-log void',
  summary: 'Cancel an unpaid invoice (admins)',
  operations: ['voidBillingStatement'],
  args: [['<id>', 'of the invoice, as in the log']],
  options: YES,
  examples: ['tonerow billing-log void 01900000-0000-7000-8000-000000000000 --yes'],
  async run({ context, args: [id], options }) {
    await context.confirm(options.yes, 'Cancel the invoice? Nothing will be owed for its month.');
    await printStory(context, await (await context.api()).voidBillingStatement({ path: { id } }, context.call));
  },
});
