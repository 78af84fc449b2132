import { defineCommand } from '#define/define-command.ts';
import { respond } from './respond.ts';

export const invitesAccept = defineCommand({
  path: 'invites accept',
  summary: 'Accept an invitation, which starts the partnership',
  operations: ['respondToInvite'],
  args: [['<id>', 'from "tonerow invites list"']],
  examples: ['tonerow invites accept 01900000-0000-7000-8000-000000000001'],
  run: ({ context, args: [id] }) => respond(context, id, 'accept'),
});
