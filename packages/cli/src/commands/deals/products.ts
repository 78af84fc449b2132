import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { developerIds } from '#input/filter-ids.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { LISTED } from './filter.ts';

export const dealsProducts = defineCommand({
  path: 'deals products',
  summary: 'List the products of the developers you sell for',
  operations: ['listResellerProducts'],
  options: { ...LISTED, ...PAGE },
  examples: ['tonerow deals products --sort popular', 'tonerow deals products --search delay --json'],
  async run({ context, options }) {
    const api = await context.api();
    const { search, sort } = options;
    const developer_id = await developerIds(context, options.developer);
    const query = { developer_id, search, sort };
    await printRows(context, api.paginate.listResellerProducts({ query }, context.call), options, {
      head: [
        'ID',
        'PRODUCT',
        'DEVELOPER',
        'PRICE',
        'SALE PRICE',
        'COMMISSION',
        'AVAILABLE',
        'NOT FOR SALE',
        'REDEEMED',
      ],
      cells: (row) => [
        row.product_id,
        row.name,
        row.developer_name,
        money(row.price),
        money(row.sale_price),
        `${row.commission_rate}%`,
        row.available_serials,
        row.not_for_sale_serials,
        row.total_redemptions,
      ],
      none: 'No products found\n',
    });
  },
});
