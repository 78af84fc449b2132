import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findProduct } from '#input/find-by-name.ts';
import { card } from './card.ts';
import { fields, formOf, repeatable } from './form.ts';

export const productsUpdate = defineCommand({
  path: 'products update',
  summary: 'Update a product; omitted options stay unchanged',
  operations: ['updateProduct'],
  args: [['<product>', 'id or name']],
  options: {
    name: text('<text>', 'a new name'),
    ...fields,
    ...repeatable,
  },
  examples: ['tonerow products update "Prism Delay" --price 79 --sale-price none'],
  async run({ context, args: [text], options: { name, ...entered } }) {
    const change = { name, ...formOf(entered) };
    if (Object.values(change).every((value) => value === undefined))
      throw new UsageError('Specify what to change, such as --price 99.');
    const api = await context.api();
    const { id, version } = await findProduct(api, text, context.io.signal);
    const product = await api.updateProduct({ path: { id }, body: { ...change, version } }, context.call);
    await context.print(product, card(product));
    context.note('Product updated!');
  },
});
