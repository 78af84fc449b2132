import type { InputOf } from '@tonerow/sdk';
import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { choice, everyOf } from '../../option-types.ts';
import { printRows } from '../../output/rows.ts';
import { day } from '../../output/table.ts';

type State = NonNullable<NonNullable<InputOf<'listSentInvites'>['query']>['state']>;

export const invitesSent = defineCommand({
  path: 'invites sent',
  summary: 'List the invitations you sent, newest first',
  operations: ['listSentInvites'],
  options: {
    state: choice('<state>', 'only invitations in this state', {
      values: everyOf<State>({ pending: 0, accepted: 0, rejected: 0, withdrawn: 0, expired: 0 }),
    }),
    ...PAGE,
  },
  examples: ['tonerow invites sent', 'tonerow invites sent --state pending'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { state: options.state };
    await printRows(context, api.paginate.listSentInvites({ query }, context.call), options, {
      head: ['ID', 'EMAIL', 'STATE', 'COMMISSION', 'SENT', 'EXPIRES', 'CLAIMS'],
      cells: (row) => [
        row.id,
        row.email,
        row.state,
        `${row.commission_rate} %`,
        day(row.sent_at),
        day(row.expires_at),
        row.reseller_name,
      ],
      none: 'No invitations sent yet.\n',
    });
  },
});
