import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { codeOf, PASSWORD, passwordOf } from './second-factor.ts';

export const accountDisableTwoFactor = defineCommand({
  path: 'account disable-two-factor',
  summary: 'Switch off two-factor sign-in',
  operations: ['disableTwoFactor'],
  options: {
    ...PASSWORD,
    code: text('<code>', 'from your authenticator app, or a recovery code'),
  },
  examples: ['tonerow account disable-two-factor --password-file password.txt --code 123456'],
  async run({ context, options }) {
    const password = await passwordOf(context, options);
    const code = await codeOf(context, options.code);
    await (await context.api()).disableTwoFactor({ body: { password, code } }, context.call);
    context.note('Two-factor is off.');
  },
});
