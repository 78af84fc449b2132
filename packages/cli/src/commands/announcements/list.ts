import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printRows } from '#output/rows.ts';

export const announcementsList = defineCommand({
  path: 'announcements list',
  summary: 'List announcements (admins)',
  operations: ['listAnnouncements'],
  options: PAGE,
  examples: ['tonerow announcements list'],
  async run({ context, options }) {
    const api = await context.api();
    await printRows(context, api.paginate.listAnnouncements({}, context.call), options, {
      head: ['SENT', 'TO', 'RECIPIENTS', 'SUBJECT'],
      cells: (row) => [row.created_at, row.audience, row.recipients, row.subject],
      none: 'No announcements yet.\n',
    });
  },
});
