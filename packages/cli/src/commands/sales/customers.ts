import { csvTo, PAGE, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';
import { FILTER } from './transactions.ts';

export const salesCustomers = defineCommand({
  path: 'sales customers',
  summary: 'List who redeemed a serial that the reseller was given',
  operations: ['listResellerCustomers'],
  options: { ...FILTER, ...csvTo('CSV of all that match the filter'), ...PAGE },
  examples: [
    'tonerow sales customers --search nina@example.com --json',
    'tonerow sales customers --csv --out customers.csv',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const query = { search: options.search, dateRange: options.range };
    if (wantsCsv(options)) {
      const response = await api.stream.listResellerCustomers({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    await printRows(context, api.paginate.listResellerCustomers({ query }, context.call), options, {
      head: ['LAST', 'NAME', 'EMAIL', 'DEVELOPER', 'PRODUCT', 'REDEMPTIONS'],
      cells: (row) => [
        day(row.last_redeemed_at),
        [row.first_name, row.last_name].filter(Boolean).join(' '),
        row.email ?? 'Erased',
        row.developer_name,
        row.product_name,
        row.redemptions,
      ],
      none: 'No customers found.\n',
    });
  },
});
