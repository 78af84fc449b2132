import { defineCommand } from '#define/define-command.ts';
import { findDeveloperId } from '#input/find-by-name.ts';
import { cutNote, list, money, table } from '#output/table.ts';
import { day } from '#output/zone.ts';
import { company, historyOf, totals } from '../resellers/profile.ts';

export const partnersShow = defineCommand({
  path: 'partners show',
  summary: 'Show a developer you sell for, with products and the history of your partnership (resellers)',
  operations: ['getPartner', 'listPartners'],
  args: [['<developer>', 'name or id']],
  examples: ['tonerow partners show "Row Audio"'],
  async run({ context, args: [developer] }) {
    const api = await context.api();
    const id = await findDeveloperId(api, developer, context.io.signal);
    const found = await api.getPartner({ path: { id } }, context.call);
    const facts = list([
      ...company(found),
      ['Commission', `${found.commission_rate}%`],
      ['Status', found.status],
      ['Partnership since', day(found.since)],
      ...totals(found),
    ]);
    const products = found.products.map((each) => [each.name, money(each.price), each.id]);
    const rest = cutNote('first', products, found.products_total, 'products by name');
    const shelf = products.length === 0 ? '' : `\n${table(['PRODUCT', 'PRICE', 'ID'], products)}${rest}`;
    await context.print(found, `${facts}${shelf}${historyOf(found)}`);
  },
});
