import { defineCommand } from '#define/define-command.ts';

export const billingAddCard = defineCommand({
  path: 'billing add-card',
  summary: 'Begin to enter a card; the dashboard has the form',
  operations: ['createSetupIntent'],
  examples: ['tonerow billing add-card'],
  async run({ context }) {
    const begun = await (await context.api()).createSetupIntent({}, context.call);
    const { baseUrl } = await context.clientOptions(undefined);
    // a card is entered in Stripe's own form, which needs a browser
    await context.print(begun, `Enter the card at ${baseUrl}/app/settings#billing\n`);
  },
});
