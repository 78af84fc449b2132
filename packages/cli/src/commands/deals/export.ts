import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { outOf, receive } from '../../output/stream.ts';
import { SERIALS } from './filter.ts';

export const dealsExport = defineCommand({
  path: 'deals export',
  summary: 'Export the redeemed serials of a product you sell as CSV',
  operations: ['listResellerRedeemedSerials'],
  args: [['<id>', 'from "tonerow deals products"']],
  options: { ...SERIALS, out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }) },
  examples: ['tonerow deals export 01900000-0000-7000-8000-000000000001 --out redeemed.csv'],
  async run({ context, args: [id], options: { out, ...query } }) {
    const api = await context.api();
    const input = { path: { id }, query };
    const response = await api.stream.listResellerRedeemedSerials(input, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, out), 'Receiving');
  },
});
