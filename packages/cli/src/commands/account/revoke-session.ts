import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { listed } from '#input/listed.ts';

export const accountRevokeSession = defineCommand({
  path: 'account revoke-session',
  summary: 'Revoke a session',
  operations: ['revokeSession', 'listSessions'],
  args: [['<id>', 'from "tonerow account sessions"']],
  options: SURE,
  examples: ['tonerow account revoke-session 01900000-0000-7000-8000-000000000001 --yes'],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    const sure = await context.sure(options, {
      question: 'Revoke this session? Whoever uses it has to sign in again.',
      look: async () => listed(await api.listSessions({}, context.call), (each) => each.id === id, 'Session'),
      would: ({ device, machine }) => `The session on ${machine ?? device} would be revoked.`,
    });
    if (!sure) return;
    await api.revokeSession({ body: { id } }, context.call);
    context.note('The session has been revoked.');
  },
});
