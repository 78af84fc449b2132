import { CSV } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { findResellerId } from '../../resolve.ts';
import { printStock } from './stock-table.ts';

export const resellersStock = defineCommand({
  path: 'resellers stock',
  summary: 'Show a reseller’s stock by product',
  operations: ['getResellerStock', 'listResellers'],
  args: [['<reseller>', 'name or id']],
  options: CSV,
  examples: ['tonerow resellers stock "Plugin Shop"'],
  async run({ context, args: [reseller], options: { csv } }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    await printStock(context, await api.getResellerStock({ path: { id } }, context.call), csv);
  },
});
