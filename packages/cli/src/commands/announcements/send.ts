import { readFile } from 'node:fs/promises';
import { sendAnnouncementAudience } from '@tonerow/sdk/values';
import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';

export const announcementsSend = defineCommand({
  path: 'announcements send',
  summary: 'Email everyone who is subscribed to announcements (admins)',
  operations: ['sendAnnouncement'],
  once: true,
  args: [['<subject>', '']],
  options: {
    bodyFile: text('<file>', 'plain text'),
    to: choice('<audience>', 'developers, resellers or everybody', {
      values: sendAnnouncementAudience,
      fallback: 'everybody',
    }),
    ...YES,
  },
  examples: ['tonerow announcements send "Maintenance on Sunday" --body-file announcement.txt --to developers --yes'],
  async run({ context, args: [subject], options }) {
    if (!options.bodyFile) throw new UsageError('Provide the text with --body-file FILE.');
    const body = await readFile(options.bodyFile, 'utf8');
    await context.confirm(options.yes, `Send "${subject}" to ${options.to}?`);
    const sent = await (await context.api()).sendAnnouncement(
      { body: { subject, body, audience: options.to } },
      context.call,
    );
    await context.print(sent, `${sent.recipients} emails are on their way.\n`);
  },
});
