import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { given } from '#input/given-values.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { VIEW, withView } from '../views/find.ts';
import { FILTER, productFilter, SORT } from './filter.ts';

export const productsList = defineCommand({
  path: 'products list',
  summary: 'List products, newest first',
  operations: ['listProducts', 'listViews'],
  options: { ...FILTER, ...SORT, ...VIEW, ...PAGE },
  examples: [
    'tonerow products list --search delay',
    'tonerow products list --stock low,empty --sort -revenue',
    'tonerow products list --all --json',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const query = await withView(context, 'products', options.view, {
      ...productFilter(options),
      ...given({ sort: options.sort }),
    });
    const narrowed = Object.keys(query).some((key) => key !== 'sort');
    await printRows(context, api.paginate.listProducts({ query: { ...query, figures: true } }, context.call), options, {
      head: ['ID', 'NAME', 'STATE', 'PRICE', 'SERIALS', 'REDEEMED', 'REVENUE'],
      cells: (each) => [
        each.id,
        each.name,
        each.is_draft ? 'draft' : 'submitted',
        money(each.sale_price ?? each.price),
        each.serials_available,
        each.figures?.redeemed,
        money(each.figures?.revenue ?? null),
      ],
      none: narrowed ? 'No products found.\n' : 'No products yet. Create one: tonerow products create NAME\n',
      more: '"tonerow products export"',
    });
  },
});
