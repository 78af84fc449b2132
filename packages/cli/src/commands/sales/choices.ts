import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';
import { TRANSACTION_FILTER, transactionFilter } from './transactions.ts';

export const salesChoices = defineCommand({
  path: 'sales choices',
  summary: 'What transactions can be filtered by, with counts',
  operations: ['listTransactionChoices'],
  options: TRANSACTION_FILTER,
  examples: ['tonerow sales choices', 'tonerow sales choices --kind refund'],
  async run({ context, options }) {
    const query = transactionFilter(options);
    const choices = await (await context.api()).listTransactionChoices({ query }, context.call);
    const rows = Object.entries(choices).flatMap(([kind, values]) =>
      values.map(({ value, label, count }) => [`--${kind}`, value, label, count]),
    );
    await context.print(
      choices,
      rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', 'TRANSACTIONS'], rows) : 'No transactions found.\n',
    );
  },
});
