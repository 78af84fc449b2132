import { defineCommand } from '#define/define-command.ts';
import { cardOf } from './card.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsShow = defineCommand({
  path: 'shops show',
  summary: 'Show a shop with its address and what came last',
  operations: ['getShop'],
  args: [...WHICH],
  examples: ['tonerow shops show "My shop"'],
  async run({ context, args: [which] }) {
    const { api, id } = await shopOf(context, which);
    const shop = await api.getShop({ path: { id } }, context.call);
    await context.print(shop, cardOf(shop));
  },
});
