import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printStock } from './stock-table.ts';

export const resellersStock = defineCommand({
  path: 'resellers stock',
  summary: 'Show a reseller’s stock by product',
  operations: ['getResellerStock', 'listResellers'],
  args: [['<reseller>', 'name or id']],
  options: { ...PAGE, ...CSV },
  examples: ['tonerow resellers stock "Plugin Shop"'],
  async run({ context, args: [reseller], options }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    await printStock(context, api.paginate.getResellerStock({ path: { id } }, context.call), options);
  },
});
