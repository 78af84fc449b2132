import { defineCommand } from '#define/define-command.ts';
import { choiceTable } from '#output/choices.ts';
import { customerFilter, FILTER } from './filter.ts';

export const customersChoices = defineCommand({
  path: 'customers choices',
  summary: 'What customers can be filtered by, with counts',
  operations: ['listCustomerChoices'],
  options: FILTER,
  examples: ['tonerow customers choices', 'tonerow customers choices --status active'],
  async run({ context, options }) {
    const choices = await (await context.api()).listCustomerChoices(
      { query: await customerFilter(context, options) },
      context.call,
    );
    await context.print(choices, choiceTable(choices, 'CUSTOMERS', 'No customers found.'));
  },
});
