import { defineCommand } from '#define/define-command.ts';
import { respond } from './respond.ts';

export const invitesReject = defineCommand({
  path: 'invites reject',
  summary: 'Reject an invitation',
  operations: ['respondToInvite'],
  args: [['<id>', 'from "tonerow invites list"']],
  examples: ['tonerow invites reject 01900000-0000-7000-8000-000000000001'],
  run: ({ context, args: [id] }) => respond(context, id, 'reject'),
});
