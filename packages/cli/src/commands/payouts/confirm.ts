import { defineCommand } from '#define/define-command.ts';
import { findPayoutId, WHICH } from './find.ts';
import { settled } from './settled.ts';

export const payoutsConfirm = defineCommand({
  path: 'payouts confirm',
  summary: 'Confirm a statement, as the reseller',
  operations: ['confirmPayout', 'getMe', 'listPayouts', 'listDeveloperPayouts'],
  once: true,
  args: [...WHICH],
  examples: ['tonerow payouts confirm 2026-0007'],
  async run({ context, args: [text] }) {
    const id = await findPayoutId(context, text);
    await settled(context, await (await context.api()).confirmPayout({ path: { id } }, context.call));
  },
});
