import { defineCommand } from '#define/define-command.ts';

export const invitesResend = defineCommand({
  path: 'invites resend',
  summary: 'Email a pending invitation again, at most once a day',
  operations: ['resendInvite'],
  once: true,
  args: [['<id>', 'from "tonerow invites sent"']],
  examples: ['tonerow invites resend 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const invite = await (await context.api()).resendInvite({ path: { id } }, context.call);
    await context.print(invite, 'Invitation sent successfully!\n');
  },
});
