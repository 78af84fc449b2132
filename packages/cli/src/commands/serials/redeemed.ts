import { listRedeemedSerialsSort } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { standingCell } from '#output/standing.ts';
import { money } from '#output/table.ts';
import { day } from '#output/zone.ts';
import { VIEW, withView } from '../views/find.ts';
import { REDEEMED_FILTER, redeemedFilter } from './selection/redeemed-filter.ts';

export const serialsRedeemed = defineCommand({
  path: 'serials redeemed',
  summary: 'Redeemed serials with their customers, newest first',
  operations: ['listRedeemedSerials', 'listViews'],
  options: {
    ...REDEEMED_FILTER,
    sort: choice('<column>', 'redeemed_at, customer, product or total; "-" before it for the largest first', {
      values: listRedeemedSerialsSort,
    }),
    ...VIEW,
    ...PAGE,
  },
  examples: [
    'tonerow serials redeemed --range 1w',
    'tonerow serials redeemed --search nina@example.com --json',
    'tonerow serials redeemed --status download_limit',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const { sort } = options;
    const query = await withView(context, 'redeemed', options.view, {
      ...(await redeemedFilter(context, options)),
      ...(sort ? { sort } : {}),
    });
    await printRows(context, api.paginate.listRedeemedSerials({ query }, context.call), options, {
      head: ['DATE', 'FIRST', 'LAST', 'EMAIL', 'SERIAL', 'PRODUCT', 'TOTAL', 'STATE'],
      cells: (row) => [
        day(row.redeemed_at),
        row.first_name,
        row.last_name,
        row.email,
        row.code,
        row.product,
        money(row.total),
        standingCell(row.standing),
      ],
      none: 'No serials found\n',
    });
  },
});
