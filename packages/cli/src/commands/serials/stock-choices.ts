import { defineCommand } from '#define/define-command.ts';
import { choiceTable } from '#output/choices.ts';
import { SERIAL_FILTER, serialFilter } from './selection/serial-filter.ts';

export const serialsStockChoices = defineCommand({
  path: 'serials stock-choices',
  summary: 'What serials can be filtered by, with counts',
  operations: ['listSerialChoices'],
  options: SERIAL_FILTER,
  examples: ['tonerow serials stock-choices', 'tonerow serials stock-choices --status available'],
  async run({ context, options }) {
    const found = await (await context.api()).listSerialChoices(
      { query: await serialFilter(context, options) },
      context.call,
    );
    await context.print(found, choiceTable(found, 'SERIALS', 'No serials found', { product: 'products' }));
  },
});
