import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';
import { customerFilter, FILTER } from './filter.ts';

export const customersChoices = defineCommand({
  path: 'customers choices',
  summary: 'What customers can be filtered by, with counts',
  operations: ['listCustomerChoices'],
  options: FILTER,
  examples: ['tonerow customers choices', 'tonerow customers choices --status active'],
  async run({ context, options }) {
    const choices = await (await context.api()).listCustomerChoices({ query: customerFilter(options) }, context.call);
    const rows = Object.entries(choices).flatMap(([kind, values]) =>
      values.map(({ value, label, count }) => [`--${kind}`, value, label, count]),
    );
    await context.print(
      choices,
      rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', 'CUSTOMERS'], rows) : 'No customers found.\n',
    );
  },
});
