import { defineCommand } from '#define/define-command.ts';
import { choiceTable } from '#output/choices.ts';
import { TRANSACTION_FILTER, transactionFilter } from './transactions.ts';

export const salesChoices = defineCommand({
  path: 'sales choices',
  summary: 'What transactions can be filtered by, with counts',
  operations: ['listTransactionChoices'],
  options: TRANSACTION_FILTER,
  examples: ['tonerow sales choices', 'tonerow sales choices --kind refund'],
  async run({ context, options }) {
    const query = await transactionFilter(context, options);
    const choices = await (await context.api()).listTransactionChoices({ query }, context.call);
    await context.print(choices, choiceTable(choices, 'TRANSACTIONS', 'No transactions found.'));
  },
});
