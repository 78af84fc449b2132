import { listResellerDealsState } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { developerIds } from '#input/filter-ids.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { chosen } from '#output/zone.ts';
import { LISTED } from './filter.ts';

export const dealsList = defineCommand({
  path: 'deals list',
  summary: 'List the deals that developers gave you',
  operations: ['listResellerDeals'],
  options: {
    state: choice('<state>', 'only deals you may still sell, or only expired ones', {
      values: listResellerDealsState,
    }),
    ...LISTED,
    ...PAGE,
  },
  examples: ['tonerow deals list --state current', 'tonerow deals list --sort popular --json'],
  async run({ context, options }) {
    const api = await context.api();
    const { search, sort, state } = options;
    const developer_id = await developerIds(context, options.developer);
    const query = { developer_id, search, sort, state };
    await printRows(context, api.paginate.listResellerDeals({ query }, context.call), options, {
      head: [
        'ID',
        'PRODUCT',
        'DEVELOPER',
        'TAG',
        'PRICE',
        'PROMO STARTS',
        'PROMO EXPIRES',
        'REDEEM BY',
        'AVAILABLE',
        'NOT FOR SALE',
        'REDEEMED',
      ],
      cells: (row) => [
        row.id,
        row.name,
        row.developer_name,
        row.batch_tag,
        money(row.promo_price),
        chosen(row.promo_start, 'start', row.developer_time_zone),
        chosen(row.promo_expires, 'end', row.developer_time_zone),
        chosen(row.expires_at, 'end', row.developer_time_zone),
        row.available_serials,
        row.not_for_sale_serials,
        row.total_redemptions,
      ],
      none: 'No deals found\n',
    });
  },
});
