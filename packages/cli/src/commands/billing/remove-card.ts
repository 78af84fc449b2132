import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';

export const billingRemoveCard = defineCommand({
  path: 'billing remove-card',
  summary: 'Remove the card; on Starter only',
  operations: ['removePaymentMethod', 'getPaymentMethod'],
  options: SURE,
  examples: ['tonerow billing remove-card --yes'],
  async run({ context, options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Remove the card?',
      look: () => api.getPaymentMethod({}, context.call),
      would: ({ card }) => (card ? `The card ending in ${card.last4} would be removed.` : 'There is no card.'),
    });
    if (!sure) return;
    await api.removePaymentMethod({}, context.call);
    context.note('The card has been removed.');
  },
});
