import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { counted } from '#output/table.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsDelete = defineCommand({
  path: 'shops delete',
  summary: 'Delete a shop; its orders and their serials stay',
  operations: ['deleteShop', 'getShop'],
  args: [...WHICH],
  options: SURE,
  examples: ['tonerow shops delete "My shop" --yes'],
  async run({ context, args: [which], options }) {
    const { api, id } = await shopOf(context, which);
    const sure = await context.sure(options, {
      question: 'Delete this shop? What it reports from now on is refused.',
      look: () => api.getShop({ path: { id } }, context.call),
      would: ({ name, waiting }) => `The shop ${name} would be deleted, with ${counted(waiting, 'order')} waiting.`,
    });
    if (!sure) return;
    await api.deleteShop({ path: { id } }, context.call);
    context.note('The shop has been deleted.');
  },
});
