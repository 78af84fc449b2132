import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { given } from '#input/given-values.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printAllAsJson } from '#output/rows.ts';
import { FILTER, productFilter, SORT } from './filter.ts';

export const productsExport = defineCommand({
  path: 'products export',
  summary: 'Export products as CSV, with what each has sold',
  operations: ['exportProducts', 'listProducts'],
  options: {
    ...FILTER,
    ...SORT,
    out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
  },
  examples: ['tonerow products export --sort -revenue --out products.csv'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { ...productFilter(options), ...given({ sort: options.sort }) };
    if (context.globals.json && options.out === '-')
      return printAllAsJson(context, api.paginate.listProducts({ query: { ...query, figures: true } }, context.call));
    const response = await api.stream.exportProducts({ query }, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, options.out), 'Receiving');
  },
});
