import { defineCommand } from '#define/define-command.ts';

export const invitesWithdraw = defineCommand({
  path: 'invites withdraw',
  summary: 'Withdraw a pending invitation',
  operations: ['withdrawInvite'],
  args: [['<id>', 'from "tonerow invites sent"']],
  examples: ['tonerow invites withdraw 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    const invite = await (await context.api()).withdrawInvite({ path: { id } }, context.call);
    await context.print(invite, 'Invitation withdrawn.\n');
  },
});
