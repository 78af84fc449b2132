import { defineCommand } from '#define/define-command.ts';

export const emailsTest = defineCommand({
  path: 'emails test',
  summary: 'Send yourself a test email',
  operations: ['sendTestEmail'],
  examples: ['tonerow emails test'],
  async run({ context }) {
    const { message } = await (await context.api()).sendTestEmail({}, context.call);
    context.note(message);
  },
});
