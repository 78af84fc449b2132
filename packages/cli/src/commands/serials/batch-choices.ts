import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';
import { choiceRows } from './choice-rows.ts';
import { BATCH_FILTER, serialFilter } from './serial-filter.ts';

export const serialsBatchChoices = defineCommand({
  path: 'serials batch-choices',
  summary: 'What batches can be filtered by, with counts',
  operations: ['listBatchChoices'],
  options: BATCH_FILTER,
  examples: ['tonerow serials batch-choices'],
  async run({ context, options }) {
    const found = await (await context.api()).listBatchChoices({ query: serialFilter(options) }, context.call);
    const rows = choiceRows(found);
    const words = rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', 'BATCHES'], rows) : 'No batches yet.\n';
    await context.print(found, words);
  },
});
