import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { printRows } from '../../output/rows.ts';
import { money } from '../../output/table.ts';

export const productsList = defineCommand({
  path: 'products list',
  summary: 'List products',
  operations: ['listProducts'],
  options: {
    search: text('<text>', 'part of the name'),
    ...PAGE,
  },
  examples: ['tonerow products list --search delay', 'tonerow products list --all --json'],
  async run({ context, options }) {
    const api = await context.api();
    await printRows(context, api.paginate.listProducts({ query: { search: options.search } }, context.call), options, {
      head: ['ID', 'NAME', 'STATE', 'PRICE', 'SERIALS'],
      cells: (each) => [
        each.id,
        each.name,
        each.is_draft ? 'draft' : 'submitted',
        money(each.sale_price ?? each.price),
        each.serials_available,
      ],
      none: 'No products yet. Create one: tonerow products create NAME\n',
    });
  },
});
