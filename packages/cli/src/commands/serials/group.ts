import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { printRows } from '#output/rows.ts';
import { groupOf, WHICH } from './selection/group-of.ts';

export const serialsGroup = defineCommand({
  path: 'serials group',
  summary: 'List the available serials of one group',
  operations: ['listSerialGroup'],
  args: [['<name>', 'a product, or "product · tag"']],
  options: {
    ...WHICH,
    ...PAGE,
  },
  examples: [
    'tonerow serials group "Prism Delay" --all',
    'tonerow serials group "Prism Delay · Black Friday" --kind promo',
  ],
  async run({ context, args: [name], options }) {
    const api = await context.api();
    const input = await groupOf(context, name, options);
    await printRows(context, api.paginate.listSerialGroup(input, context.call), options, {
      head: [],
      cells: (row) => [row.code],
      none: '',
      more: '"tonerow serials export"',
    });
  },
});
