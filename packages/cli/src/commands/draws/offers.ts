import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { chosen } from '#output/zone.ts';

export const drawsOffers = defineCommand({
  path: 'draws offers',
  summary: 'List what you can sell now, by product and price',
  operations: ['listOffers'],
  options: { search: text('<text>', 'product or developer'), ...PAGE },
  examples: ['tonerow draws offers', 'tonerow draws offers --search delay'],
  async run({ context, options }) {
    const api = await context.api();
    await printRows(context, api.paginate.listOffers({ query: { search: options.search } }, context.call), options, {
      head: ['PRODUCT', 'DEVELOPER', 'PRICE', 'LEFT', 'SELL UNTIL', 'ID'],
      cells: (row) => [
        row.product_name,
        row.developer_name,
        money(row.price),
        row.available,
        chosen(row.sell_until, 'end', row.developer_time_zone),
        row.product_id,
      ],
      none: 'You have no codes to sell now.\n',
    });
  },
});
