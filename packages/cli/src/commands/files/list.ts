import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';

export const filesList = defineCommand({
  path: 'files list',
  summary: 'List uploaded files, newest first',
  operations: ['listFiles'],
  options: PAGE,
  examples: ['tonerow files list --limit 20'],
  async run({ context, options }) {
    const api = await context.api();
    await printRows(context, api.paginate.listFiles({}, context.call), options, {
      head: ['ID', 'NAME', 'BYTES', 'STATE', 'URL', 'MADE'],
      cells: (row) => [
        row.id,
        row.name,
        row.size,
        row.complete ? 'complete' : `${Math.floor((row.received / row.size) * 100)}%`,
        row.url,
        day(row.created_at),
      ],
      none: 'No files yet.\n',
    });
  },
});
