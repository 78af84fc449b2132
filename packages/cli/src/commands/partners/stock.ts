import { CSV } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { findPartnerId } from '../../resolve.ts';
import { printStock } from '../resellers/stock-table.ts';

export const partnersStock = defineCommand({
  path: 'partners stock',
  summary: 'Show your stock of a developer’s products (resellers)',
  operations: ['getPartnerStock', 'listPartners'],
  args: [['<developer>', 'name or id']],
  options: CSV,
  examples: ['tonerow partners stock "Row Audio" --csv'],
  async run({ context, args: [developer], options: { csv } }) {
    const api = await context.api();
    const id = await findPartnerId(api, developer, context.io.signal);
    await printStock(context, await api.getPartnerStock({ path: { id } }, context.call), csv);
  },
});
