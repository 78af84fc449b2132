import { listShopOrdersState } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';

export const shopsOrders = defineCommand({
  path: 'shops orders',
  summary: 'List the orders of your shops, newest first',
  operations: ['listShopOrders', 'listOrdersOfShop'],
  options: {
    shop: text('<shop>', 'only of the shop with this id'),
    state: choice('<state>', 'such as attention or issued', { values: listShopOrdersState }),
    search: text('<text>', 'the whole number of an order, or the whole email address of its customer'),
    ...PAGE,
  },
  examples: ['tonerow shops orders --state attention', 'tonerow shops orders --search 1001'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { state: options.state, search: options.search };
    const pages = options.shop
      ? api.paginate.listOrdersOfShop({ path: { id: options.shop }, query }, context.call)
      : api.paginate.listShopOrders({ query }, context.call);
    await printRows(context, pages, options, {
      head: ['NUMBER', 'SHOP', 'STATE', 'PAID', 'CURRENCY', 'SERIALS', 'MISSING', 'RECEIVED', 'ID'],
      cells: (row) => [
        row.number,
        row.shop_name,
        row.reasons.length > 0 ? `${row.state} (${row.reasons.map(({ reason }) => reason).join(', ')})` : row.state,
        row.paid,
        row.currency,
        row.serials,
        row.missing,
        day(row.received_at),
        row.id,
      ],
      none: 'No orders yet.\n',
    });
  },
});
