import { defineCommand } from '#define/define-command.ts';
import { choiceTable } from '#output/choices.ts';
import { BATCH_FILTER, serialFilter } from './selection/serial-filter.ts';

export const serialsBatchChoices = defineCommand({
  path: 'serials batch-choices',
  summary: 'What batches can be filtered by, with counts',
  operations: ['listBatchChoices'],
  options: BATCH_FILTER,
  examples: ['tonerow serials batch-choices'],
  async run({ context, options }) {
    const found = await (await context.api()).listBatchChoices(
      { query: await serialFilter(context, options) },
      context.call,
    );
    await context.print(found, choiceTable(found, 'BATCHES', 'No batches yet.', { product: 'products' }));
  },
});
