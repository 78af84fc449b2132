import { listSentInvitesState } from '@tonerow/sdk/values';
import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { printFieldsAsCsv } from '#output/files/csv.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';

const COLUMNS = [
  'id',
  'email',
  'state',
  'commission_rate',
  'reseller_name',
  'message',
  'created_at',
  'sent_at',
  'expires_at',
  'answered_at',
] as const;

export const invitesSent = defineCommand({
  path: 'invites sent',
  summary: 'List the invitations you sent, newest first',
  operations: ['listSentInvites'],
  options: {
    state: choice('<state>', 'only invitations in this state', {
      values: listSentInvitesState,
    }),
    ...PAGE,
    ...CSV,
  },
  examples: ['tonerow invites sent', 'tonerow invites sent --state pending'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { state: options.state };
    // an account sends a hundred a day at most, and they are deleted half a year after their end
    if (options.csv) return printFieldsAsCsv(context, COLUMNS, api.paginate.listSentInvites({ query }, context.call));
    await printRows(context, api.paginate.listSentInvites({ query }, context.call), options, {
      head: ['ID', 'EMAIL', 'STATE', 'COMMISSION', 'SENT', 'EXPIRES', 'CLAIMS'],
      cells: (row) => [
        row.id,
        row.email,
        row.state,
        `${row.commission_rate}%`,
        day(row.sent_at),
        day(row.expires_at),
        row.reseller_name,
      ],
      none: 'No invitations sent yet.\n',
    });
  },
});
