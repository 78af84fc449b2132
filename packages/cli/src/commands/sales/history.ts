import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { flag, text } from '../../option-types.ts';
import { printRows } from '../../output/rows.ts';
import { outOf, receive } from '../../output/stream.ts';
import { money } from '../../output/table.ts';

export const salesHistory = defineCommand({
  path: 'sales history',
  summary: 'List a reseller’s commission by month (UTC), developer and product',
  operations: ['listCommissionHistory'],
  options: {
    csv: flag('CSV of all of them'),
    out: text('<file>', 'write the CSV to a file', { fallback: '-' }),
    ...PAGE,
  },
  examples: ['tonerow sales history', 'tonerow sales history --csv --out commission.csv'],
  async run({ context, options }) {
    const api = await context.api();
    if (options.csv || options.out !== '-') {
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
