import { listBatchesSort } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { inState, STATES } from '#output/batch-states.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';
import { VIEW, withView } from '../views/find.ts';
import { BATCH_FILTER, serialFilter } from './selection/serial-filter.ts';

export const serialsBatches = defineCommand({
  path: 'serials batches',
  summary: 'List batches, newest first',
  operations: ['listBatches', 'listViews'],
  options: {
    ...BATCH_FILTER,
    sort: choice('<column>', 'created_at, product, tag, reseller or quantity; "-" before it for the largest first', {
      values: listBatchesSort,
    }),
    ...VIEW,
    ...PAGE,
  },
  examples: [
    'tonerow serials batches --product "Prism Delay"',
    'tonerow serials batches --status open --sort -quantity',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const { sort } = options;
    const query = await withView(context, 'batches', options.view, {
      ...(await serialFilter(context, options)),
      ...(sort ? { sort } : {}),
    });
    await printRows(context, api.paginate.listBatches({ query }, context.call), options, {
      head: ['ID', 'PRODUCT', 'TAG', 'RESELLER', 'QUANTITY', 'OPEN', 'HANDED OUT', 'REDEEMED', 'REVOKED', 'MADE'],
      cells: (row) => [
        row.id,
        row.product_name,
        row.batch_tag,
        row.reseller_name,
        row.quantity,
        ...STATES.map((state) => inState(row, state)),
        day(row.created_at),
      ],
      none: 'No batches yet.\n',
    });
  },
});
