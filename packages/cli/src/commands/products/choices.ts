import { defineCommand } from '#define/define-command.ts';
import { choiceTable } from '#output/choices.ts';
import { FILTER, productFilter } from './filter.ts';

export const productsChoices = defineCommand({
  path: 'products choices',
  summary: 'What products can be filtered by, with counts',
  operations: ['listProductChoices'],
  options: FILTER,
  examples: ['tonerow products choices', 'tonerow products choices --stock low'],
  async run({ context, options }) {
    const choices = await (await context.api()).listProductChoices({ query: productFilter(options) }, context.call);
    await context.print(choices, choiceTable(choices, 'PRODUCTS', 'No products found.'));
  },
});
