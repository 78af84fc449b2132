import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';
import { PAGE_NUMBER, pageNumber } from './page.ts';

export const billingLogDifferences = defineCommand({
  path: 'billing-log differences',
  summary: 'List what the last reconciliation found to differ (admins)',
  operations: ['listBillingDifferences'],
  options: { page: PAGE_NUMBER },
  examples: ['tonerow billing-log differences'],
  async run({ context, options }) {
    const page = pageNumber(options.page);
    const answer = await (await context.api()).listBillingDifferences({ query: { page } }, context.call);
    const rows = answer.differences.map((row) => [
      row.found_at,
      row.email ?? row.user_id,
      row.number,
      row.words,
      row.stripe_invoice_id,
      row.statement_id,
    ]);
    const head = ['TIME (UTC)', 'DEVELOPER', 'INVOICE', 'DIFFERENCE', 'AT STRIPE', 'ID'];
    await context.print(answer, rows.length === 0 ? 'Nothing differs.\n' : table(head, rows));
  },
});
