import { listBillingLogsStatus } from '@tonerow/sdk/values';
import { csvTo, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { money, table } from '#output/table.ts';
import { PAGE_NUMBER, pageNumber } from './page.ts';

export const billingLogList = defineCommand({
  path: 'billing-log list',
  summary: 'List what was charged (admins)',
  operations: ['listBillingLogs'],
  options: {
    page: PAGE_NUMBER,
    status: choice('<status>', 'success or failed', {
      values: listBillingLogsStatus,
    }),
    month: text('<month>', 'only of this month (UTC), such as 2026-03'),
    search: text('<text>', 'in the address, or the number of the invoice'),
    ...csvTo('CSV with all that match, one per line'),
  },
  examples: ['tonerow billing-log list --status failed', 'tonerow billing-log list --csv --out billing-log.csv'],
  async run({ context, options }) {
    const page = pageNumber(options.page);
    const { status, month, search } = options;
    const api = await context.api();
    const filter = { status, month, search };
    if (wantsCsv(options)) {
      const response = await api.stream.listBillingLogs({ query: filter }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    const answer = await api.listBillingLogs({ query: { page, ...filter } }, context.call);
    const rows = answer.logs.map((row) => [
      row.created_at,
      row.email,
      row.number,
      money(row.amount),
      row.action,
      row.status,
      row.error_message,
      row.statement_id,
    ]);
    const head = ['TIME', 'DEVELOPER', 'INVOICE', 'AMOUNT', 'ACTION', 'STATUS', 'ERROR', 'ID'];
    await context.print(answer, rows.length === 0 ? 'Nothing was charged yet.\n' : table(head, rows));
  },
});
