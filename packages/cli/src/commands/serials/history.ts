import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findSerialId } from '#input/find-by-name.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';

export const serialsHistory = defineCommand({
  path: 'serials history',
  summary: 'List what happened with a serial, newest first',
  operations: ['listSerialHistory'],
  args: [['<serial>', 'code or id']],
  options: PAGE,
  examples: ['tonerow serials history ABCD-EFGH-2345-6789 --all'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const id = await findSerialId(api, text, context.io.signal);
    await printRows(context, api.paginate.listSerialHistory({ path: { id }, query: {} }, context.call), options, {
      head: ['WHEN', 'WHAT', 'DETAIL', 'AMOUNT'],
      cells: (row) => [row.at, row.kind, row.detail, row.amount === null ? null : money(row.amount)],
      none: 'Nothing found\n',
    });
  },
});
