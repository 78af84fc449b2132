import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { saleFacts } from './sale.ts';

export const drawsSold = defineCommand({
  path: 'draws sold',
  summary: 'List what you sold by hand today, or show one sale',
  operations: ['listHandSales', 'getHandSale'],
  args: [['[reference]', 'your name for a sale. Default: all of today']],
  options: { since: text('<moment>', 'all since then, such as 2026-11-26. Default: today'), ...PAGE },
  examples: ['tonerow draws sold', 'tonerow draws sold fair-17'],
  async run({ context, args: [reference], options }) {
    const api = await context.api();
    if (reference !== undefined) {
      const sale = await api.getHandSale({ path: { reference } }, context.call);
      return context.print(sale, saleFacts(sale));
    }
    const query = { since: options.since };
    await printRows(context, api.paginate.listHandSales({ query }, context.call), options, {
      head: ['SOLD', 'PRODUCT', 'PRICE', 'CODE', 'STATE', 'EMAIL', 'NOTE', 'REFERENCE'],
      cells: (row) => [
        row.sold_at,
        row.product_name,
        money(row.price),
        row.code,
        row.state.replace('_', ' '),
        row.email && `${row.email.address || 'erased'} (${row.email.state})`,
        row.note,
        row.reference,
      ],
      none: 'Nothing sold by hand.\n',
    });
    if (context.globals.json) return;
    const { totals } = await api.listHandSales({ query: { ...query, limit: 1 } }, context.call);
    if (totals.sales + totals.returned > 0)
      context.note(`${totals.sales} sold for ${money(totals.revenue)}, ${totals.returned} returned.`);
  },
});
