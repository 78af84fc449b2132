import { csvTo, PAGE, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';

export const salesHistory = defineCommand({
  path: 'sales history',
  summary: 'List a reseller’s commission by month (UTC), developer and product',
  operations: ['listCommissionHistory'],
  options: {
    ...csvTo('CSV of all of them'),
    ...PAGE,
  },
  examples: ['tonerow sales history', 'tonerow sales history --csv --out commission.csv'],
  async run({ context, options }) {
    const api = await context.api();
    if (wantsCsv(options)) {
      const response = await api.stream.listCommissionHistory({}, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    await printRows(context, api.paginate.listCommissionHistory({}, context.call), options, {
      head: ['MONTH', 'DEVELOPER', 'PRODUCT', 'REDEMPTIONS', 'REFUNDS', 'RATE', 'COMMISSION'],
      cells: (row) => [
        row.month,
        row.developer,
        row.product,
        row.redemptions,
        row.refunds,
        row.commission_percent === null ? null : `${row.commission_percent}%`,
        money(row.commission_total),
      ],
      none: 'No commission yet.\n',
    });
  },
});
