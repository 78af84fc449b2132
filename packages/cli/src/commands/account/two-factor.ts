import { defineCommand } from '#define/define-command.ts';
import { list } from '#output/table.ts';

export const accountTwoFactor = defineCommand({
  path: 'account two-factor',
  summary: 'Show whether two-factor sign-in is on',
  operations: ['getTwoFactor'],
  examples: ['tonerow account two-factor'],
  async run({ context }) {
    const state = await (await context.api()).getTwoFactor({}, context.call);
    await context.print(
      state,
      list([
        ['Two-factor', state.enabled ? 'on' : 'off'],
        ['Since', state.since],
        ['Recovery codes left', state.enabled ? state.recovery_codes_left : null],
      ]),
    );
  },
});
