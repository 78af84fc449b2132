import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findResellerId } from '#input/find-by-name.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';

export const resellersCirculation = defineCommand({
  path: 'resellers circulation',
  summary: 'Show the state of the serials that a reseller was given, by batch',
  operations: ['getResellerCirculation'],
  args: [['<reseller>', 'id or name']],
  options: PAGE,
  examples: ['tonerow resellers circulation "Plugin Shop"'],
  async run({ context, args: [reseller], options }) {
    const api = await context.api();
    const id = await findResellerId(api, reseller, context.io.signal);
    await printRows(context, api.paginate.getResellerCirculation({ path: { id } }, context.call), options, {
      head: [
        'BATCH',
        'PRODUCT',
        'TAG',
        'GIVEN',
        'OPEN',
        'HANDED OUT',
        'REDEEMED',
        'REVOKED',
        'REFUNDED',
        'RATE',
        'IN FILES',
        'MADE',
      ],
      cells: (row) => [
        row.batch_id,
        row.product_name,
        row.batch_tag,
        row.given,
        row.open,
        row.handed_out,
        row.redeemed,
        row.revoked,
        row.refunds,
        `${row.refund_rate}%`,
        row.in_files,
        day(row.created_at),
      ],
      none: 'No serials given yet.\n',
    });
  },
});
