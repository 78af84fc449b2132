import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printStory } from './story.ts';

export const billingLogUncollectible = defineCommand({
  path: 'billing-log uncollectible',
  summary: 'Stop trying to collect an invoice (admins)',
  operations: ['giveUpBillingStatement'],
  args: [['<id>', 'of the invoice, as in the log']],
  options: YES,
  examples: ['tonerow billing-log uncollectible 01900000-0000-7000-8000-000000000000 --yes'],
  async run({ context, args: [id], options }) {
    await context.confirm(options.yes, 'Stop trying to collect the invoice?');
    await printStory(context, await (await context.api()).giveUpBillingStatement({ path: { id } }, context.call));
  },
});
