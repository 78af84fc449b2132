import { defineCommand } from '#define/define-command.ts';
import { cardOf } from './card.ts';
import { WHICH } from './options.ts';

export const shopsShow = defineCommand({
  path: 'shops show',
  summary: 'Show a shop with its address and what came last',
  operations: ['getShop'],
  args: [...WHICH],
  examples: ['tonerow shops show 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const shop = await (await context.api()).getShop({ path: { id } }, context.call);
    await context.print(shop, cardOf(shop));
  },
});
