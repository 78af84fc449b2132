import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { printRows } from '../../output/rows.ts';
import { day } from '../../output/table.ts';
import { FILTER } from './filter.ts';

export const customersList = defineCommand({
  path: 'customers list',
  summary: 'List customers, newest first',
  operations: ['listCustomers'],
  options: {
    ...FILTER,
    ...PAGE,
  },
  examples: ['tonerow customers list --range 1m', 'tonerow customers list --search example.com --all --json'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { search: options.search, dateRange: options.range };
    await printRows(context, api.paginate.listCustomers({ query }, context.call), options, {
      head: ['SIGNUP', 'FIRST', 'LAST', 'EMAIL', 'ID', 'LAST LOGIN', 'SERIALS'],
      cells: (row) => [
        day(row.signup_date),
        row.first_name,
        row.last_name,
        row.email,
        row.id,
        day(row.last_login),
        row.serials,
      ],
      none: 'No customers found.\n',
      more: '"tonerow customers export"',
    });
  },
});
