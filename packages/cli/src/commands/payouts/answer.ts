import { defineCommand } from '#define/define-command.ts';
import { required, text } from '#define/option-types.ts';
import { findPayoutId, WHICH } from './find.ts';
import { settled } from './settled.ts';

export const payoutsAnswer = defineCommand({
  path: 'payouts answer',
  summary: 'Answer the dispute of a statement, as the developer',
  operations: ['answerPayoutDispute', 'getMe', 'listPayouts', 'listDeveloperPayouts'],
  once: true,
  args: [...WHICH],
  options: { text: required(text('<text>', 'the answer'), 'Give a --text: the reseller reads it.') },
  examples: ['tonerow payouts answer 2026-0007 --text "Both are in March"'],
  async run({ context, args: [which], options }) {
    const id = await findPayoutId(context, which);
    const body = { text: options.text };
    await settled(context, await (await context.api()).answerPayoutDispute({ path: { id }, body }, context.call));
  },
});
