import { listCustomersSort } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';
import { VIEW, withView } from '../views/find.ts';
import { customerFilter, FILTER } from './filter.ts';

export const customersList = defineCommand({
  path: 'customers list',
  summary: 'List customers, newest first',
  operations: ['listCustomers', 'listViews'],
  options: {
    ...FILTER,
    sort: choice('<column>', 'signup_date, name, email or last_login; "-" before it for the newest or last first', {
      values: listCustomersSort,
    }),
    ...VIEW,
    ...PAGE,
  },
  examples: [
    'tonerow customers list --range 1m',
    'tonerow customers list --search example.com --all --json',
    'tonerow customers list --status revoked',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const { sort } = options;
    const query = await withView(context, 'customers', options.view, {
      ...(await customerFilter(context, options)),
      ...(sort ? { sort } : {}),
    });
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
