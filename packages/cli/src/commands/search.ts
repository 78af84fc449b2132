import { defineCommand } from '#define/define-command.ts';
import { table } from '#output/table.ts';

export const searchCommand = defineCommand({
  path: 'search',
  summary: 'Find a serial, a customer, a product, a batch, a reseller, a statement or an invoice',
  operations: ['search'],
  args: [['<words...>', 'a code, its start or its last block, a name, an email address, a tag, a number or an id']],
  examples: ['tonerow search prism', 'tonerow search nina@example.com --json'],
  async run({ context, args: words }) {
    const found = await (await context.api()).search({ query: { q: words.join(' ') } }, context.call);
    const rows = [
      ...found.serials.map((each) => ['serial', each.code, each.product_name, each.id]),
      ...found.customers.map((each) => [
        'customer',
        each.email,
        [each.first_name, each.last_name].filter(Boolean).join(' '),
        each.id,
      ]),
      ...found.products.map((each) => ['product', each.name, each.is_draft ? 'draft' : '', each.id]),
      ...found.batches.map((each) => ['batch', each.batch_tag ?? '', each.product_name, each.id]),
      ...found.resellers.map((each) => ['reseller', each.name, '', each.id]),
      ...found.statements.map((each) => ['statement', each.number, each.reseller_name, each.id]),
      ...found.invoices.map((each) => ['invoice', each.number, each.month, each.id]),
    ];
    await context.print(found, rows.length === 0 ? 'Nothing found.\n' : table(['WHAT', 'NAME', '', 'ID'], rows));
  },
});
