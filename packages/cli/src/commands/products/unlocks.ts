import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printRows } from '#output/rows.ts';

export const productsUnlocks = defineCommand({
  path: 'products unlocks',
  summary: 'List the unlocks for good of your products, newest first',
  operations: ['listProductUnlocks'],
  options: PAGE,
  examples: ['tonerow products unlocks'],
  async run({ context, options }) {
    const api = await context.api();
    await printRows(context, api.paginate.listProductUnlocks({}, context.call), options, {
      head: ['PRODUCT', 'MADE', 'PUT AWAY', 'PUBLISHED', 'FOR', 'FILE'],
      cells: (row) => [
        row.product_name,
        row.created_at,
        row.downloaded_at ?? '–',
        row.published_at ?? '–',
        row.audience ?? '–',
        row.url ?? '–',
      ],
      none: 'No unlocks yet. Make one: tonerow products unlock PRODUCT --make\n',
    });
  },
});
