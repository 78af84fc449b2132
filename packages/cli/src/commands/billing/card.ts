import { defineCommand } from '#define/define-command.ts';
import { list } from '#output/table.ts';

export const billingCard = defineCommand({
  path: 'billing card',
  summary: 'Show the card that is charged',
  operations: ['getBillingConfig', 'getPaymentMethod'],
  fields: ['configured', 'card'],
  examples: ['tonerow billing card'],
  async run({ context }) {
    const api = await context.api();
    const [{ configured }, { card }] = await Promise.all([
      api.getBillingConfig({}, context.call),
      api.getPaymentMethod({}, context.call),
    ]);
    const text = !configured
      ? 'Card payments are not configured.\n'
      : card
        ? list([
            ['Card', `${card.brand} ending in ${card.last4}`],
            ['Expires', `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`],
          ])
        : 'No card on file. Add one: tonerow billing add-card\n';
    await context.print({ configured, card }, text);
  },
});
