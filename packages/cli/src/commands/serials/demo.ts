import { calls, type Kind } from '../../csv-import.ts';
import { defineCommand } from '../../define-command.ts';
import { UsageError } from '../../exit.ts';
import { everyOf, text } from '../../option-types.ts';
import { outOf, receive } from '../../output/stream.ts';

export const serialsDemo = defineCommand({
  path: 'serials demo',
  summary: 'A small CSV that shows which columns an import takes',
  operations: ['downloadDemoCsv'],
  args: [['<kind>', 'available, redeemed or customers', everyOf<Kind>({ available: 0, redeemed: 0, customers: 0 })]],
  options: {
    out: text('<file>', 'write to a file', { fallback: '-' }),
  },
  examples: ['tonerow serials demo available --out columns.csv'],
  async run({ context, args: [kind], options }) {
    if (!kind || !(kind in calls)) throw new UsageError('There are demos for available, redeemed and customers.');
    const api = await context.client();
    const input = { path: { kind: kind as Kind } };
    const response = await api.stream.downloadDemoCsv(input, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, options.out, 'public'), 'Receiving');
  },
});
