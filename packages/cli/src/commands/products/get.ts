import { defineCommand } from '#define/define-command.ts';
import { findProduct } from '#input/find-by-name.ts';
import { card } from './card.ts';

export const productsGet = defineCommand({
  path: 'products get',
  summary: 'Show a product',
  operations: ['getProduct'],
  args: [['<product>', 'id or name']],
  examples: ['tonerow products get "Prism Delay"'],
  async run({ context, args: [text] }) {
    const product = await findProduct(await context.api(), text, context.io.signal);
    await context.print(product, card(product));
  },
});
