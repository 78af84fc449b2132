import { defineCommand } from '#define/define-command.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsReconcile = defineCommand({
  path: 'shops reconcile',
  summary: 'Compare a shop’s own list of orders with what came',
  operations: ['reconcileShop'],
  args: [...WHICH],
  examples: ['tonerow shops reconcile "My shop"'],
  async run({ context, args: [which] }) {
    const { api, id } = await shopOf(context, which);
    const shop = await api.reconcileShop({ path: { id } }, context.call);
    await context.print(shop, '');
    context.note('The shop’s list is read now. "tonerow shops show" shows when that is done.');
  },
});
