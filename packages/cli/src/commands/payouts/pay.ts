import { defineCommand } from '#define/define-command.ts';
import { amount, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findPayoutId, WHICH } from './find.ts';
import { settled } from './settled.ts';

export const payoutsPay = defineCommand({
  path: 'payouts pay',
  summary: 'Record a payment of a statement, as the developer',
  operations: ['markPayoutPaid', 'getMe', 'listPayouts', 'listDeveloperPayouts'],
  once: true,
  args: [...WHICH],
  options: {
    amount: amount('<dollars>', 'default: what is outstanding'),
    on: text('<date>', 'when it was paid; default: today'),
    method: text('<text>', 'such as "bank transfer"'),
    reference: text('<text>', 'by which both find the payment'),
  },
  examples: [
    'tonerow payouts pay 2026-0007',
    'tonerow payouts pay 2026-0007 --amount 120 --on 2026-04-02 --reference INV-7',
  ],
  async run({ context, args: [which], options }) {
    if (options.amount === null) throw new UsageError('--amount takes dollars, such as 120.');
    const id = await findPayoutId(context, which);
    const { method, reference } = options;
    const body = { amount: options.amount, paid_on: options.on, method, reference };
    await settled(context, await (await context.api()).markPayoutPaid({ path: { id }, body }, context.call));
  },
});
