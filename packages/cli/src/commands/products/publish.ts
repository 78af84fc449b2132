import { defineCommand } from '#define/define-command.ts';
import { findProduct } from '#input/find-by-name.ts';
import { card } from './card.ts';

export const productsPublish = defineCommand({
  path: 'products publish',
  summary: 'Turn a draft into a submitted product',
  operations: ['publishProduct'],
  args: [['<product>', 'id or name']],
  examples: ['tonerow products publish "Prism Delay"'],
  async run({ context, args: [text] }) {
    const api = await context.api();
    const { id } = await findProduct(api, text, context.io.signal);
    const product = await api.publishProduct({ path: { id } }, context.call);
    await context.print(product, card(product));
    context.note('Product submitted!');
  },
});
