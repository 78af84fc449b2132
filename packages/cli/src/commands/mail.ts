import { readFile } from 'node:fs/promises';
import type { Command } from '../command.ts';
import { PAGE, YES } from '../command.ts';
import { UsageError } from '../exit.ts';
import { printRows } from '../output/rows.ts';
import { confirm } from '../prompt.ts';

export const mailCommands: Command[] = [
  {
    path: 'mail test',
    summary: 'Send a letter to yourself',
    operations: ['sendTestMail'],
    examples: ['tonerow mail test'],
    async run(context) {
      const { message } = await (await context.api()).sendTestMail({}, context.call);
      context.note(message);
    },
  },
  {
    path: 'mail log',
    summary: 'What became of letters (admins)',
    operations: ['listMails'],
    options: [['--state <state>', 'queued, sent or failed'], ...PAGE],
    examples: ['tonerow mail log --state failed'],
    async run(context, _args, options) {
      const api = await context.api();
      const query = { state: options.state };
      await printRows(context, api.paginate.listMails({ query }, context.call), options, {
        head: ['QUEUED', 'KIND', 'TO', 'SUBJECT', 'STATE', 'TRIES', 'LAST ERROR'],
        cells: (row) => [
          row.created_at,
          row.kind,
          row.recipient,
          row.subject,
          row.sent_at ? 'sent' : row.failed_at ? 'failed' : 'queued',
          row.attempts,
          row.error,
        ],
        none: 'No letters yet.\n',
      });
    },
  },
  {
    path: 'mail unsubscribe',
    summary: 'Follow the link at the end of a letter',
    operations: ['unsubscribe'],
    args: [['<token>', 'from the link']],
    examples: ['tonerow mail unsubscribe LINK-TOKEN'],
    async run(context, [token]) {
      await (await context.client()).unsubscribe({ query: {}, body: { token: token as string } }, context.call);
      context.note('No more of these letters will come.');
    },
  },
  {
    path: 'announcements list',
    summary: 'What everybody was told (admins)',
    operations: ['listAnnouncements'],
    options: PAGE,
    examples: ['tonerow announcements list'],
    async run(context, _args, options) {
      const api = await context.api();
      await printRows(context, api.paginate.listAnnouncements({}, context.call), options, {
        head: ['SENT', 'TO', 'RECIPIENTS', 'SUBJECT'],
        cells: (row) => [row.created_at, row.audience, row.recipients, row.subject],
        none: 'No announcements yet.\n',
      });
    },
  },
  {
    path: 'announcements send',
    summary: 'Write to everybody who wants to hear announcements (admins)',
    operations: ['sendAnnouncement'],
    once: true,
    args: [['<subject>', '']],
    options: [
      ['--body-file <file>', 'plain text'],
      ['--to <audience>', 'developers, resellers or everybody', 'everybody'],
      YES,
    ],
    examples: ['tonerow announcements send "Maintenance on Sunday" --body-file announcement.txt --to developers --yes'],
    async run(context, [subject], options) {
      if (!options.bodyFile) throw new UsageError('Give the text with --body-file FILE.');
      const body = await readFile(options.bodyFile as string, 'utf8');
      await confirm(
        context.io,
        { yes: options.yes, input: context.globals.input },
        `Send "${subject}" to ${options.to}?`,
      );
      const sent = await (await context.api()).sendAnnouncement(
        { body: { subject: subject as string, body, audience: options.to } },
        context.call,
      );
      await context.print(sent, `${sent.recipients} letters are on their way.\n`);
    },
  },
];
