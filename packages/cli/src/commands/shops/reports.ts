import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printRows } from '#output/rows.ts';
import { shopOf, WHICH } from './options.ts';

export const shopsReports = defineCommand({
  path: 'shops reports',
  summary: 'List what came from a shop and what was made of it, newest first',
  operations: ['listShopDeliveries'],
  args: [...WHICH],
  options: PAGE,
  examples: ['tonerow shops reports "My shop"'],
  async run({ context, args: [which], options }) {
    const { api, id } = await shopOf(context, which);
    const pages = api.paginate.listShopDeliveries({ path: { id } }, context.call);
    await printRows(context, pages, options, {
      head: ['REPORT', 'ORDER', 'STATE', 'WHY', 'RECEIVED'],
      cells: (row) => [row.event, row.order_number ?? row.order_key, row.state, row.why, row.received_at],
      none: 'Nothing has come from this shop in the last 90 days.\n',
    });
  },
});
