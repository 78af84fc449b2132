import { listEmailsState } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';

export const emailsLog = defineCommand({
  path: 'emails log',
  summary: 'List sent emails and their delivery state (admins)',
  operations: ['listEmails'],
  options: {
    state: choice('<state>', 'queued, sent or failed', {
      values: listEmailsState,
    }),
    ...PAGE,
  },
  examples: ['tonerow emails log --state failed'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { state: options.state };
    await printRows(context, api.paginate.listEmails({ query }, context.call), options, {
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
      none: 'No emails yet.\n',
    });
  },
});
