import { defineCommand } from '#define/define-command.ts';
import { flag } from '#define/option-types.ts';
import { card } from './card.ts';
import { fields, formOf, repeatable } from './form.ts';

export const productsCreate = defineCommand({
  path: 'products create',
  summary: 'Create a product',
  operations: ['createProduct'],
  once: true,
  args: [['<name>', 'its name']],
  options: {
    ...fields,
    draft: flag('save as a draft until it is published'),
    ...repeatable,
  },
  examples: ['tonerow products create "Prism Delay" --price 99 --file "macOS=https://cdn.example.com/prism.dmg"'],
  async run({ context, args: [name], options: { draft, ...entered } }) {
    const product = await (await context.api()).createProduct(
      { body: { name, ...formOf(entered), is_draft: draft } },
      context.call,
    );
    await context.print(product, card(product));
    context.note(product.is_draft ? 'Saved as draft!' : 'Product submitted!');
  },
});
