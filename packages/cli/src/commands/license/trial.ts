import { defineCommand } from '#define/define-command.ts';
import { findProductId } from '#input/find-by-name.ts';
import { asPlugin, card, KEY, MACHINE } from './as-plugin.ts';

export const licenseTrial = defineCommand({
  path: 'license trial',
  summary: 'Start a trial on a machine, or show its state',
  operations: ['startTrial'],
  args: [['<product>', 'id or name']],
  options: {
    ...MACHINE,
    ...KEY,
  },
  examples: ['tonerow license trial "Prism Delay" --machine studio-1 --key-file plugin-key.txt'],
  async run({ context, args: [product], options }) {
    const api = await asPlugin(context, options);
    const product_id = await findProductId(context, product);
    const body = { product_id, machine_id: options.machine };
    const answer = await api.startTrial({ body }, context.call);
    await context.print(answer, `${card(answer)}Ends              ${answer.trial_ends_at ?? '–'}\n`);
  },
});
