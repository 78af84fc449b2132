import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printAllAsJson } from '#output/rows.ts';
import { SERIALS, soldSerials } from './filter.ts';

export const dealsExport = defineCommand({
  path: 'deals export',
  summary: 'Export the redeemed serials of a product you sell as CSV',
  operations: ['listResellerRedeemedSerials'],
  args: [['<product>', 'id or name, from "tonerow deals products"']],
  options: { ...SERIALS, out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }) },
  examples: ['tonerow deals export "Prism Delay" --out redeemed.csv'],
  async run({ context, args: [product], options: { out, ...which } }) {
    const { api, ...input } = await soldSerials(context, product, which);
    if (context.globals.json && out === '-')
      return printAllAsJson(context, api.paginate.listResellerRedeemedSerials(input, context.call));
    const response = await api.stream.listResellerRedeemedSerials(input, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, out), 'Receiving');
  },
});
