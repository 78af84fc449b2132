import { defineCommand } from '#define/define-command.ts';
import { choiceTable } from '#output/choices.ts';
import { ORDER_FILTER, orderFilter } from './order-filter.ts';

export const shopsOrderChoices = defineCommand({
  path: 'shops order-choices',
  summary: 'What orders can be filtered by, with counts',
  operations: ['listShopOrderChoices'],
  options: ORDER_FILTER,
  examples: ['tonerow shops order-choices', 'tonerow shops order-choices --range 1m'],
  async run({ context, options }) {
    const found = await (await context.api()).listShopOrderChoices(
      { query: await orderFilter(context, options) },
      context.call,
    );
    await context.print(found, choiceTable(found, 'ORDERS', 'No orders yet.'));
  },
});
