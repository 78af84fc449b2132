import { defineCommand } from '../../define-command.ts';
import { table } from '../../output/table.ts';
import { BATCH_FILTER, SERIAL_FILTER, serialFilter } from './serial-filter.ts';

type Found = Record<string, { value: string; label: string | null; count: number }[]>;

const rowsOf = (found: Found) =>
  Object.entries(found).flatMap(([kind, values]) =>
    values.map(({ value, label, count }) => [kind === 'product' ? '--products' : `--${kind}`, value, label, count]),
  );

export const serialsStockChoices = defineCommand({
  path: 'serials stock-choices',
  summary: 'What serials can be filtered by, with counts',
  operations: ['listSerialChoices'],
  options: SERIAL_FILTER,
  examples: ['tonerow serials stock-choices', 'tonerow serials stock-choices --status available'],
  async run({ context, options }) {
    const found = await (await context.api()).listSerialChoices({ query: serialFilter(options) }, context.call);
    const rows = rowsOf(found);
    const words = rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', 'SERIALS'], rows) : 'No serials found\n';
    await context.print(found, words);
  },
});

export const serialsBatchChoices = defineCommand({
  path: 'serials batch-choices',
  summary: 'What batches can be filtered by, with counts',
  operations: ['listBatchChoices'],
  options: BATCH_FILTER,
  examples: ['tonerow serials batch-choices'],
  async run({ context, options }) {
    const found = await (await context.api()).listBatchChoices({ query: serialFilter(options) }, context.call);
    const rows = rowsOf(found);
    const words = rows.length > 0 ? table(['FILTER', 'VALUE', 'NAME', 'BATCHES'], rows) : 'No batches yet.\n';
    await context.print(found, words);
  },
});
