import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { customerOf, WHO } from './find.ts';

export const customersActivity = defineCommand({
  path: 'customers activity',
  summary: 'List what happened with a customer and their serials, newest first',
  operations: ['listCustomerActivity'],
  args: WHO,
  options: {
    kind: text('<kind>', 'only this kind, such as noted or redeemed'),
    ...PAGE,
  },
  examples: ['tonerow customers activity nina@example.com --kind noted --all'],
  async run({ context, args: [who], options }) {
    const { api, id } = await customerOf(context, who);
    const rows = api.paginate.listCustomerActivity({ path: { id }, query: { kind: options.kind } }, context.call);
    await printRows(context, rows, options, {
      head: ['WHEN', 'WHAT', 'SERIAL', ''],
      cells: (row) => [row.at, row.kind, row.serial_code, row.detail],
      none: 'Nothing found\n',
    });
  },
});
