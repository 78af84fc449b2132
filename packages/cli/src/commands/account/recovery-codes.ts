import { defineCommand } from '#define/define-command.ts';
import { PASSWORD, passwordOf } from './second-factor.ts';

export const accountRecoveryCodes = defineCommand({
  path: 'account recovery-codes',
  summary: 'Generate ten new recovery codes; the old ones stop working',
  operations: ['renewRecoveryCodes'],
  options: PASSWORD,
  examples: ['tonerow account recovery-codes --password-file password.txt'],
  async run({ context, options }) {
    const password = await passwordOf(context, options);
    const done = await (await context.api()).renewRecoveryCodes({ body: { password } }, context.call);
    await context.print(done, `${done.recovery_codes.join('\n')}\n`);
  },
});
