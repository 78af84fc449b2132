import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { customerOf, WHO } from './find.ts';

export const customersData = defineCommand({
  path: 'customers data',
  summary: 'Export everything stored about a customer, as JSON',
  operations: ['exportCustomerData'],
  args: WHO,
  options: {
    out: text('<file>', 'write to a file', { fallback: '-' }),
  },
  examples: ['tonerow customers data nina@example.com --out nina.json'],
  async run({ context, args: [text], options }) {
    const { api, id } = await customerOf(context, text);
    if (context.globals.json && options.out === '-')
      return context.print(await api.exportCustomerData({ path: { id } }, context.call), '');
    await receive(
      context,
      await api.stream.exportCustomerData({ path: { id } }, context.call),
      outOf(context, options.out),
      'Receiving',
    );
  },
});
