import { defineCommand } from '#define/define-command.ts';
import { codeOf, PASSWORD, passwordOf } from './second-factor.ts';

export const accountEnableTwoFactor = defineCommand({
  path: 'account enable-two-factor',
  summary: 'Require a code from an authenticator app at every sign-in',
  operations: ['setUpTwoFactor', 'enableTwoFactor'],
  options: PASSWORD,
  examples: ['tonerow account enable-two-factor', 'tonerow account enable-two-factor --password-file password.txt'],
  async run({ context, options }) {
    const api = await context.api();
    const password = await passwordOf(context, options);
    const { secret, otpauth_url } = await api.setUpTwoFactor({ body: { password } }, context.call);
    context.warn('authenticator', `Add this to your authenticator app:\n\n  ${secret}\n  ${otpauth_url}\n`);
    const code = await codeOf(context);
    const done = await api.enableTwoFactor({ body: { code } }, context.call);
    context.note('Two-factor is on. Each of these recovery codes opens the account once; they are not shown again:');
    await context.print(done, `${done.recovery_codes.join('\n')}\n`);
  },
});
