import type { InputOf } from '@tonerow/sdk';
import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { printFieldsAsCsv } from '#output/files/csv.ts';
import { printRows } from '#output/rows.ts';

type Status = NonNullable<NonNullable<InputOf<'listApiRequests'>['query']>['status']>;

const CSV_COLUMNS = [
  'at',
  'method',
  'route',
  'status',
  'ms',
  'credential',
  'credential_name',
  'credential_id',
  'ip',
  'request_id',
  'omitted',
] as const;

export const accountRequests = defineCommand({
  path: 'account requests',
  summary: 'List requests made with your access tokens and plugin keys, newest first',
  operations: ['listApiRequests'],
  options: {
    status: text('<class>', 'only answers of 2xx, 3xx, 4xx or 5xx'),
    credential: text('<id>', 'only this access token or plugin key'),
    route: text('<part>', 'only routes that contain this, such as /api/serials'),
    ...PAGE,
    ...CSV,
  },
  examples: ['tonerow account requests --status 4xx', 'tonerow account requests --csv > requests.csv'],
  async run({ context, options }) {
    const { paginate } = await context.api();
    // the server knows the classes, and names them when it is given another one
    const status = options.status as Status | undefined;
    const query = { status, credential_id: options.credential, route: options.route };
    const rows = paginate.listApiRequests({ query }, context.call);
    if (options.csv) return printFieldsAsCsv(context, CSV_COLUMNS, rows);
    await printRows(context, rows, options, {
      head: ['AT', 'METHOD', 'ROUTE', 'STATUS', 'MS', 'WITH', 'FROM', 'REQUEST', 'OMITTED'],
      cells: (row) => [
        row.at,
        row.method,
        row.route,
        String(row.status),
        String(row.ms),
        row.credential_name ?? row.credential_id,
        row.ip,
        row.request_id,
        row.omitted > 0 ? `${row.omitted} more` : '',
      ],
      none: 'No request is in the log.\n',
    });
  },
});
