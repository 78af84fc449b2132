import { defineCommand } from '#define/define-command.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsPause = defineCommand({
  path: 'shops pause',
  summary: 'Pause a shop: what it reports is kept, and waits',
  operations: ['pauseShop'],
  args: [...WHICH],
  examples: ['tonerow shops pause "My shop"'],
  async run({ context, args: [which] }) {
    const { api, id } = await shopOf(context, which);
    const shop = await api.pauseShop({ path: { id } }, context.call);
    await context.print(shop, '');
    context.note('The shop is paused.');
  },
});
