import { defineCommand } from '#define/define-command.ts';
import { UsageError } from '#exit.ts';
import { ORDER } from './options.ts';
import { textOf } from './order.ts';

export const shopsDecide = defineCommand({
  path: 'shops decide',
  summary: 'Keep or take back what was refunded of an order, and settle what it asks',
  operations: ['decideShopOrder'],
  args: [...ORDER, ['<answer>', 'keep or take']],
  examples: [
    'tonerow shops decide 01900000-0000-7000-8000-000000000001 keep',
    'tonerow shops decide 01900000-0000-7000-8000-000000000001 take',
  ],
  async run({ context, args: [id, answer] }) {
    if (answer !== 'keep' && answer !== 'take') throw new UsageError('<answer> is keep or take.');
    const decided = await (await context.api()).decideShopOrder({ path: { id }, body: { answer } }, context.call);
    await context.print(decided.order, textOf(decided.order));
  },
});
