import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { Failure } from '#exit.ts';
import { listed } from '#input/listed.ts';

export const invitesWithdraw = defineCommand({
  path: 'invites withdraw',
  summary: 'Withdraw a pending invitation',
  operations: ['withdrawInvite', 'listSentInvites'],
  args: [['<id>', 'from "tonerow invites sent"']],
  options: SURE,
  examples: ['tonerow invites withdraw 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Withdraw this invitation? Its link stops working.',
      look: () =>
        listed(api.paginate.listSentInvites({ query: {} }, context.call), (each) => each.id === id, 'Invitation'),
      would: ({ email, state }) => {
        if (state === 'withdrawn') return `That to ${email} is already withdrawn.`;
        if (state !== 'pending') throw new Failure(`This invitation is already ${state}.`, 'conflict');
        return `The invitation to ${email} would be withdrawn.`;
      },
    });
    if (!sure) return;
    const invite = await api.withdrawInvite({ path: { id } }, context.call);
    await context.print(invite, 'Invitation withdrawn.\n');
  },
});
