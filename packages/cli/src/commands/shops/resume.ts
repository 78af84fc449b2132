import { defineCommand } from '#define/define-command.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsResume = defineCommand({
  path: 'shops resume',
  summary: 'Resume a shop: what waited is worked on now',
  operations: ['resumeShop'],
  args: [...WHICH],
  examples: ['tonerow shops resume "My shop"'],
  async run({ context, args: [which] }) {
    const { api, id } = await shopOf(context, which);
    const shop = await api.resumeShop({ path: { id } }, context.call);
    await context.print(shop, '');
    context.note('The shop is working again.');
  },
});
