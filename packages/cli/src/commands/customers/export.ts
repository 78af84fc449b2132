import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printAllAsJson } from '#output/rows.ts';
import { customerFilter, FILTER } from './filter.ts';

export const customersExport = defineCommand({
  path: 'customers export',
  summary: 'Export customers as CSV',
  operations: ['exportCustomers', 'listCustomers'],
  options: {
    ...FILTER,
    out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
  },
  examples: ['tonerow customers export --out customers.csv'],
  async run({ context, options }) {
    const api = await context.api();
    const query = await customerFilter(context, options);
    if (context.globals.json && options.out === '-')
      return printAllAsJson(context, api.paginate.listCustomers({ query }, context.call));
    const response = await api.stream.exportCustomers({ query }, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
