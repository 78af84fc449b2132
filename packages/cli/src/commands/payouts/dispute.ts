import { defineCommand } from '#define/define-command.ts';
import { required, text } from '#define/option-types.ts';
import { findPayoutId, WHICH } from './find.ts';
import { settled } from './settled.ts';

export const payoutsDispute = defineCommand({
  path: 'payouts dispute',
  summary: 'Dispute a statement, as the reseller',
  operations: ['disputePayout', 'getMe', 'listPayouts', 'listDeveloperPayouts'],
  once: true,
  args: [...WHICH],
  options: { reason: required(text('<text>', 'what is wrong with it'), 'Give a --reason: the developer reads it.') },
  examples: ['tonerow payouts dispute 2026-0007 --reason "Two refunds are missing"'],
  async run({ context, args: [which], options: { reason } }) {
    const id = await findPayoutId(context, which);
    await settled(context, await (await context.api()).disputePayout({ path: { id }, body: { reason } }, context.call));
  },
});
