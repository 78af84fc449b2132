import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { printRows } from '../../output/rows.ts';
import { day } from '../../output/table.ts';
import { FILTER } from './transactions.ts';

export const salesCustomers = defineCommand({
  path: 'sales customers',
  summary: 'List who redeemed a serial that the reseller was given',
  operations: ['listResellerCustomers'],
  options: { ...FILTER, ...PAGE },
  examples: ['tonerow sales customers', 'tonerow sales customers --search nina@example.com --json'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { search: options.search, dateRange: options.range };
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
