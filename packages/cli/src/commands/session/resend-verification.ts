import { defineCommand } from '#define/define-command.ts';

export const resendVerification = defineCommand({
  path: 'resend-verification',
  summary: 'Send another verification email',
  operations: ['resendVerification'],
  args: [['[email]', 'your own address by default']],
  examples: ['tonerow resend-verification'],
  async run({ context, args: [given] }) {
    const email = given ?? (await (await context.api()).getMe({}, context.call)).email;
    const { message } = await (await context.client()).resendVerification({ body: { email } }, context.call);
    context.note(message);
  },
});
