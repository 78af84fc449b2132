import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';

export const billingRemoveCard = defineCommand({
  path: 'billing remove-card',
  summary: 'Remove the card; on Starter only',
  operations: ['removePaymentMethod'],
  options: YES,
  examples: ['tonerow billing remove-card --yes'],
  async run({ context, options }) {
    await context.confirm(options.yes, 'Remove the card?');
    await (await context.api()).removePaymentMethod({}, context.call);
    context.note('The card has been removed.');
  },
});
