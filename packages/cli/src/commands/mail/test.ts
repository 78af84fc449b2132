import { defineCommand } from '../../define-command.ts';

export const mailTest = defineCommand({
  path: 'mail test',
  summary: 'Send a letter to yourself',
  operations: ['sendTestMail'],
  examples: ['tonerow mail test'],
  async run({ context }) {
    const { message } = await (await context.api()).sendTestMail({}, context.call);
    context.note(message);
  },
});
