import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { isId } from '#input/is-id.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';
import { VIEW, withView } from '../views/find.ts';
import { ORDER_FILTER, orderFilter } from './order-filter.ts';

export const shopsOrders = defineCommand({
  path: 'shops orders',
  summary: 'List the orders of your shops, newest first',
  operations: ['listShopOrders', 'listOrdersOfShop'],
  options: {
    ...ORDER_FILTER,
    ...VIEW,
    ...PAGE,
    out: text('<file>', 'the order book as CSV, a line for each line of an order ("-" for standard output)'),
  },
  examples: [
    'tonerow shops orders --state attention',
    'tonerow shops orders --search 1001',
    'tonerow shops orders --range 1m --out orders.csv',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const query = await withView(context, 'orders', options.view, await orderFilter(context, options));
    if (options.out) {
      const response = await api.stream.listShopOrders({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    // those of one shop also after it was deleted
    const { shop, ...rest } = query;
    const pages =
      shop && isId(shop)
        ? api.paginate.listOrdersOfShop({ path: { id: shop }, query: rest }, context.call)
        : api.paginate.listShopOrders({ query }, context.call);
    await printRows(context, pages, options, {
      head: ['NUMBER', 'SHOP', 'STATE', 'PAID', 'SERIALS', 'RECEIVED', 'ID'],
      cells: (row) => [
        row.number,
        row.shop_name,
        row.reasons.length > 0 ? `${row.state} (${row.reasons.map(({ reason }) => reason).join(', ')})` : row.state,
        row.paid && `${row.paid} ${row.currency}`,
        row.missing > 0 ? `${row.serials}, ${row.missing} missing` : row.serials,
        day(row.received_at),
        row.id,
      ],
      none: 'No orders yet.\n',
      more: '--out FILE',
    });
  },
});
