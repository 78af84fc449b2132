import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsItems = defineCommand({
  path: 'shops items',
  summary: 'List what a shop sells, and what of your products that is',
  operations: ['listShopItems'],
  args: [...WHICH],
  options: { unmapped: flag('only what nobody has mapped yet'), ...PAGE },
  examples: ['tonerow shops items "My shop" --unmapped'],
  async run({ context, args: [which], options }) {
    const query = options.unmapped ? { unmapped: true } : {};
    const { api, id } = await shopOf(context, which);
    const pages = api.paginate.listShopItems({ path: { id }, query }, context.call);
    await printRows(context, pages, options, {
      head: ['KEY', 'NAME', 'PRODUCTS', 'UNITS', 'SOURCE', 'TAG', 'RENEWALS'],
      cells: (item) => [
        item.key,
        item.name,
        item.product_ids.length === 0 ? 'not mapped' : item.product_ids.join(' '),
        item.units,
        item.source,
        item.batch_tag,
        item.renewals,
      ],
      none: 'Nothing that this shop sells is known yet. It is listed when it is first sold, or when you map it.\n',
    });
  },
});
