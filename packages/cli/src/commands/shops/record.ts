import { defineCommand } from '#define/define-command.ts';
import { flag, text, texts } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findShopId } from '#input/find-by-name.ts';
import { isId } from '#input/is-id.ts';
import { table } from '#output/table.ts';

export const shopsRecord = defineCommand({
  path: 'shops record',
  summary: 'Record a sale, issue its serials and email them to the customer',
  operations: ['recordSale'],
  args: [['<order>', 'the number of the order; the same one is the same order again']],
  options: {
    line: texts('<what:n:paid>', 'a SKU or the id of a product, how many, and what was paid for all of it'),
    email: text('<address>', 'where the codes are sent'),
    currency: text('<code>', 'what was paid in', { fallback: 'USD' }),
    firstName: text('<text>', 'the customer’s first name'),
    lastName: text('<text>', 'the customer’s last name'),
    country: text('<code>', 'the customer’s country, such as DE'),
    language: text('<code>', 'the customer’s language, such as de'),
    paidAt: text('<moment>', 'when it was paid; default: now'),
    shop: text('<shop>', 'id or name of the shop of kind other that sold it'),
    test: flag('a try: it issues test codes that count nowhere'),
  },
  examples: ['tonerow shops record fair-17 --line GLIDE:1:49.00 --email nina@example.com'],
  async run({ context, args: [order], options }) {
    if (options.line.length === 0) throw new UsageError('Give at least one --line, such as GLIDE:1:49.00.');
    const { email, currency, firstName, lastName, country, language, paidAt, shop, test } = options;
    const lines = options.line.map(lineOf);
    const api = await context.api();
    const body = {
      order,
      email,
      currency,
      first_name: firstName,
      last_name: lastName,
      country,
      language,
      paid_at: paidAt,
      shop_id: shop && (await findShopId(api, shop, context.io.signal)),
      test,
      lines,
    };
    const sale = await api.recordSale({ body }, context.call);
    const rows = sale.serials.map(({ code, line }) => [code, line]);
    await context.print(sale, table(['CODE', 'LINE'], rows));
    for (const { line, why } of sale.waiting) context.note(`Line ${line} waits: ${why.replace('_', ' ')}.`);
  },
});

/** `GLIDE:2:98.00`. What it is may have colons itself. */
function lineOf(text: string, at: number) {
  const [, what, count, paid] = /^(.+):(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (what === undefined || paid === undefined)
    throw new UsageError('--line takes a SKU or a product’s id, a number and an amount, such as GLIDE:1:49.00.');
  const line = { id: String(at + 1), quantity: Number(count), paid };
  return isId(what) ? { ...line, product_ids: [what] } : { ...line, sku: what };
}
