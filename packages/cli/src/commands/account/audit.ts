import type { InputOf } from '@tonerow/sdk';
import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { printFieldsAsCsv } from '#output/files/csv.ts';
import { printRows } from '#output/rows.ts';

type Action = NonNullable<NonNullable<InputOf<'listAuditLog'>['query']>['action']>;

const CSV_COLUMNS = ['at', 'action', 'detail', 'object_id', 'via', 'token_name', 'ip', 'device'] as const;

export const accountAudit = defineCommand({
  path: 'account audit',
  summary: 'List who did what in your account, newest first',
  operations: ['listAuditLog'],
  options: {
    action: text('<action>', 'only this action, such as key_revealed'),
    dates: text('<dates>', '1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD'),
    ...PAGE,
    ...CSV,
  },
  examples: ['tonerow account audit', 'tonerow account audit --action serials_exported --csv > exports.csv'],
  async run({ context, options }) {
    const { paginate } = await context.api();
    // the server knows the actions, and names them when it is given another one
    const query = { action: options.action as Action | undefined, dateRange: options.dates };
    const rows = paginate.listAuditLog({ query }, context.call);
    if (options.csv) return printFieldsAsCsv(context, CSV_COLUMNS, rows);
    await printRows(context, rows, options, {
      head: ['AT', 'ACTION', 'DETAIL', 'WITH', 'FROM', 'DEVICE'],
      cells: (row) => [
        row.at,
        row.action,
        row.detail,
        row.via === 'access_token' ? `token ${row.token_name ?? ''}` : row.via,
        row.ip,
        row.device,
      ],
      none: 'Nothing is in the log.\n',
    });
  },
});
