import { defineCommand } from '#define/define-command.ts';

export const accountRevokeSession = defineCommand({
  path: 'account revoke-session',
  summary: 'Revoke a session',
  operations: ['revokeSession'],
  args: [['<id>', 'from "tonerow account sessions"']],
  examples: ['tonerow account revoke-session 01900000-0000-7000-8000-000000000001'],
  async run({ context, args: [id] }) {
    await (await context.api()).revokeSession({ body: { id } }, context.call);
    context.note('The session has been revoked.');
  },
});
