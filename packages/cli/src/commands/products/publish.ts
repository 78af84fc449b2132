import { DRY_RUN } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findProduct } from '#input/find-by-name.ts';
import { card } from './card.ts';

export const productsPublish = defineCommand({
  path: 'products publish',
  summary: 'Turn a draft into a submitted product',
  operations: ['publishProduct'],
  args: [['<product>', 'id or name']],
  options: DRY_RUN,
  examples: ['tonerow products publish "Prism Delay"', 'tonerow products publish "Prism Delay" --dry-run'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const found = await findProduct(api, text, context.io.signal);
    const { id } = found;
    const sure = await context.sure(options, {
      look: async () => found,
      would: ({ name, is_draft }) => (is_draft ? `${name} would be submitted.` : `${name} is submitted already.`),
    });
    if (!sure) return;
    const product = await api.publishProduct({ path: { id } }, context.call);
    await context.print(product, card(product));
    context.note('Product submitted!');
  },
});
