import { listInvoicesState } from '@tonerow/sdk/values';
import { csvTo, PAGE, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, number } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';

export const billingInvoices = defineCommand({
  path: 'billing invoices',
  summary: 'List invoices, the newest month first',
  operations: ['listInvoices'],
  options: {
    state: choice('<state>', 'only invoices in this state', {
      values: listInvoicesState,
    }),
    year: number('<year>', 'only invoices of months of this year'),
    ...csvTo('CSV with one line per invoice'),
    ...PAGE,
  },
  examples: ['tonerow billing invoices', 'tonerow billing invoices --year 2026 --csv --out invoices.csv'],
  async run({ context, options }) {
    const { state, year } = options;
    const api = await context.api();
    const query = { state, year };
    if (wantsCsv(options)) {
      const response = await api.stream.listInvoices({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out, 'public'), 'Receiving');
    }
    await printRows(context, api.paginate.listInvoices({ query }, context.call), options, {
      head: [
        'NUMBER',
        'MONTH (UTC)',
        'PLAN',
        'FEE',
        'REDEMPTIONS',
        'OVERAGE',
        'REFRESHES',
        'TOTAL',
        'STATE',
        'PAID BY',
        'ID',
      ],
      cells: (row) => [
        row.number,
        row.month,
        row.plan_name,
        money(row.fee),
        row.redemptions,
        money(row.overage_cost),
        money(row.refresh_cost),
        money(row.total),
        row.state,
        row.paid_by,
        row.id,
      ],
      none: 'No invoices yet. The close of the month makes them.\n',
    });
  },
});
