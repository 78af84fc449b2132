import { defineCommand } from '../../define-command.ts';
import { UsageError } from '../../exit.ts';
import { text } from '../../option-types.ts';
import { table } from '../../output/table.ts';

export const billingLogDifferences = defineCommand({
  path: 'billing-log differences',
  summary: 'List what the last reconciliation found to differ (admins)',
  operations: ['listBillingDifferences'],
  options: { page: text('<number>', 'from 1; 20 on each', { fallback: '1' }) },
  examples: ['tonerow billing-log differences'],
  async run({ context, options }) {
    const page = Number(options.page);
    if (!Number.isInteger(page) || page < 1) throw new UsageError('--page takes a number from 1.');
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
