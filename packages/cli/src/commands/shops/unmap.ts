import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { listed } from '#input/listed.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsUnmap = defineCommand({
  path: 'shops unmap',
  summary: 'Forget what something that a shop sells is; what is sold from now on waits',
  operations: ['deleteShopItem', 'listShopItems'],
  args: [...WHICH, ['<key>', 'as "tonerow shops items" shows it']],
  options: SURE,
  examples: ['tonerow shops unmap "My shop" GLIDE --yes'],
  async run({ context, args: [which, key], options }) {
    const { api, id } = await shopOf(context, which);
    const sure = await context.sure(options, {
      question: 'Forget what this is? Its orders wait until it is mapped again.',
      look: () =>
        listed(
          api.paginate.listShopItems({ path: { id }, query: {} }, context.call),
          (item) => item.key === key,
          'Item',
        ),
      would: ({ product_ids }) => `${key} would no longer be ${product_ids.join(' and ') || 'anything'}.`,
    });
    if (!sure) return;
    await api.deleteShopItem({ path: { id, key } }, context.call);
    context.note(`${key} is no longer mapped.`);
  },
});
