import { CSV, PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findDeveloperId } from '#input/find-by-name.ts';
import { printStock } from '../resellers/stock-table.ts';

export const partnersStock = defineCommand({
  path: 'partners stock',
  summary: 'Show your stock of a developer’s products (resellers)',
  operations: ['getPartnerStock', 'listPartners'],
  args: [['<developer>', 'name or id']],
  options: { ...PAGE, ...CSV },
  examples: ['tonerow partners stock "Row Audio" --csv'],
  async run({ context, args: [developer], options }) {
    const api = await context.api();
    const id = await findDeveloperId(api, developer, context.io.signal);
    await printStock(context, api.paginate.getPartnerStock({ path: { id } }, context.call), options);
  },
});
