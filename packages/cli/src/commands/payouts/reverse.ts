import { defineCommand } from '#define/define-command.ts';
import { required, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findPayoutId, WHICH } from './find.ts';
import { settled } from './settled.ts';

export const payoutsReverse = defineCommand({
  path: 'payouts reverse',
  summary: 'Take a recorded payment back by a counter-entry, as the developer',
  operations: ['reversePayoutPayment', 'getMe', 'listPayouts', 'listDeveloperPayouts'],
  once: true,
  args: [...WHICH, ['<payment>', 'its number on the statement, from 1']],
  options: { reason: required(text('<text>', 'why'), 'Give a --reason: both sides read it.') },
  examples: ['tonerow payouts reverse 2026-0007 1 --reason "Wrong statement"'],
  async run({ context, args: [which, payment], options: { reason } }) {
    const n = Number(payment);
    if (!Number.isInteger(n) || n < 1) throw new UsageError('The payment is a number such as 1.');
    const id = await findPayoutId(context, which);
    const call = { path: { id, n }, body: { reason } };
    await settled(context, await (await context.api()).reversePayoutPayment(call, context.call));
  },
});
