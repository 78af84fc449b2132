import type { BillingDifferencePage } from '@tonerow/sdk';
import { csvTo, wantsCsv } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { money, table } from '#output/table.ts';
import { PAGE_NUMBER, pageNumber } from './page.ts';

function lastRun(run: BillingDifferencePage['last_run']): string {
  if (!run) return 'Never run yet.';
  if (run.error !== null) return `Last run ${run.ran_at}: it failed. ${run.error}`;
  const what = run.differences === 0 ? 'nothing differs' : `${run.differences} different`;
  return `Last run ${run.ran_at}, ${run.compared} invoices compared, ${what}.`;
}

function onHold(hold: BillingDifferencePage['hold']): string {
  if (!hold) return '';
  const { since, backup_at: backup, due, due_cents: cents, reconciled_at: reconciled } = hold;
  const next = reconciled ? 'tonerow-server collection release' : 'tonerow-server reconcile';
  return `\nNothing is charged since ${since}, when the database was set back to ${backup}: ${due} due, ${money(cents / 100)}. On the server: ${next}`;
}

export const billingLogDifferences = defineCommand({
  path: 'billing-log differences',
  summary: 'List what the last reconciliation found to differ (admins)',
  operations: ['listBillingDifferences'],
  options: {
    page: PAGE_NUMBER,
    ...csvTo('CSV with all of them, one per line'),
  },
  examples: ['tonerow billing-log differences', 'tonerow billing-log differences --csv --out differences.csv'],
  async run({ context, options }) {
    const page = pageNumber(options.page);
    const api = await context.api();
    if (wantsCsv(options)) {
      const response = await api.stream.listBillingDifferences({}, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    const answer = await api.listBillingDifferences({ query: { page } }, context.call);
    const rows = answer.differences.map((row) => [
      row.found_at,
      row.email ?? row.user_id,
      row.number,
      row.words,
      row.stripe_invoice_id,
      row.statement_id,
    ]);
    const head = ['TIME', 'DEVELOPER', 'INVOICE', 'DIFFERENCE', 'AT STRIPE', 'ID'];
    const run = `${lastRun(answer.last_run)}${onHold(answer.hold)}`;
    await context.print(answer, rows.length === 0 ? `${run}\n` : `${table(head, rows)}\n${run}\n`);
  },
});
