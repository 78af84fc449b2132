import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';
import { SERIALS, soldSerials } from './filter.ts';

export const dealsSerials = defineCommand({
  path: 'deals serials',
  summary: 'List the serials of a product that you can sell, or those that were redeemed',
  operations: ['listResellerAvailableSerials', 'listResellerRedeemedSerials'],
  args: [['<product>', 'id or name, from "tonerow deals products"']],
  options: {
    state: choice('<state>', 'which of them', { values: ['available', 'redeemed'], fallback: 'available' }),
    ...SERIALS,
    ...PAGE,
  },
  examples: [
    'tonerow deals serials "Prism Delay"',
    'tonerow deals serials 01900000-0000-7000-8000-000000000001 --state redeemed --search nina@example.com',
  ],
  async run({ context, args: [product], options }) {
    const { api, ...input } = await soldSerials(context, product, options);
    if (options.state === 'redeemed') {
      await printRows(context, api.paginate.listResellerRedeemedSerials(input, context.call), options, {
        head: ['DATE', 'FIRST', 'LAST', 'EMAIL', 'SERIAL', 'TAG'],
        cells: (row) => [day(row.redeemed_at), row.first_name, row.last_name, row.email, row.code, row.batch_tag],
        none: 'No serials found\n',
        more: '"tonerow deals export"',
      });
      return;
    }
    await printRows(context, api.paginate.listResellerAvailableSerials(input, context.call), options, {
      head: [],
      cells: (row) => [row.code],
      none: '',
    });
  },
});
