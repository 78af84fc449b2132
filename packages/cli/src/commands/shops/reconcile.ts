import { defineCommand } from '#define/define-command.ts';
import { WHICH } from './options.ts';

export const shopsReconcile = defineCommand({
  path: 'shops reconcile',
  summary: 'Compare a shop’s own list of orders with what came',
  operations: ['reconcileShop'],
  args: [...WHICH],
  examples: ['tonerow shops reconcile 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const shop = await (await context.api()).reconcileShop({ path: { id } }, context.call);
    await context.print(shop, '');
    context.note('The shop’s list is read now. "tonerow shops show" shows when that is done.');
  },
});
