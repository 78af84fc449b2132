import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';
import { choiceRows } from './choice-rows.ts';
import { SERIAL_FILTER, serialFilter } from './serial-filter.ts';

export const serialsStockChoices = defineCommand({
  path: 'serials stock-choices',
  summary: 'What serials can be filtered by, with counts',
  operations: ['listSerialChoices'],
  options: SERIAL_FILTER,
  examples: ['tonerow serials stock-choices', 'tonerow serials stock-choices --status available'],
  async run({ context, options }) {
    const found = await (await context.api()).listSerialChoices({ query: serialFilter(options) }, context.call);
    const rows = choiceRows(found);
    const words = rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', 'SERIALS'], rows) : 'No serials found\n';
    await context.print(found, words);
  },
});
