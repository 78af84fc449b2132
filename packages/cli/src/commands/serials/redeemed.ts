import { PAGE, RANGES } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { printRows } from '../../output/rows.ts';
import { day, money } from '../../output/table.ts';

export const serialsRedeemed = defineCommand({
  path: 'serials redeemed',
  summary: 'Redeemed serials with their customers, newest first',
  operations: ['listRedeemedSerials'],
  options: {
    search: text('<text>', 'name, email, serial, product or day'),
    range: text('<range>', 'all, 1w, 2w, 1m or YYYY-MM-DD_to_YYYY-MM-DD', { values: RANGES, fallback: 'all' }),
    ...PAGE,
  },
  examples: ['tonerow serials redeemed --range 1w', 'tonerow serials redeemed --search nina@example.com --json'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { search: options.search, dateRange: options.range };
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
        row.standing.code === 'in_order' ? 'active' : row.standing.message.toLowerCase(),
      ],
      none: 'No serials found\n',
    });
  },
});
