import { defineCommand } from '#define/define-command.ts';

export const accountForgotPassword = defineCommand({
  path: 'account forgot-password',
  summary: 'Request a password reset email',
  operations: ['forgotPassword'],
  args: [['<email>', 'the account’s address']],
  examples: ['tonerow account forgot-password ada@example.com'],
  async run({ context, args: [email] }) {
    const { message } = await (await context.client()).forgotPassword({ body: { email } }, context.call);
    context.note(message);
  },
});
