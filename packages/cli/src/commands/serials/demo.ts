import { downloadDemoCsvKind } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { calls, type Kind } from '#input/csv-import.ts';
import { outOf, receive } from '#output/files/stream.ts';

export const serialsDemo = defineCommand({
  path: 'serials demo',
  summary: 'Download a sample CSV file with the columns of an import',
  operations: ['downloadDemoCsv'],
  args: [['<kind>', 'available, redeemed or customers', downloadDemoCsvKind]],
  options: {
    out: text('<file>', 'write to a file', { fallback: '-' }),
  },
  examples: ['tonerow serials demo available --out columns.csv'],
  async run({ context, args: [kind], options }) {
    if (!kind || !(kind in calls)) throw new UsageError('Choose available, redeemed or customers.');
    const api = await context.client();
    const input = { path: { kind: kind as Kind } };
    const response = await api.stream.downloadDemoCsv(input, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, options.out, 'public'), 'Receiving');
  },
});
