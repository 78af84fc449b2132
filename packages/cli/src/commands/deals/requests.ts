import { listDealRequestsStatus } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { money } from '#output/table.ts';
import { chosen } from '#output/zone.ts';

export const dealsRequests = defineCommand({
  path: 'deals requests',
  summary: 'List requests for deals: those you made as a reseller, or those made to you as a developer',
  operations: ['listOwnDealRequests', 'listDealRequests', 'getMe'],
  options: {
    status: choice('<status>', 'only requests in this state', {
      values: listDealRequestsStatus,
    }),
    unseen: flag('only answers that you have not taken note of yet (resellers)'),
    ...PAGE,
    out: text('<file>', 'all that match as CSV ("-" for standard output)'),
  },
  examples: ['tonerow deals requests --status pending', 'tonerow deals requests --out requests.csv'],
  async run({ context, options }) {
    const api = await context.api();
    const me = await api.getMe({}, context.call);
    const { status, unseen } = options;
    if (unseen && (!me.is_reseller || options.out))
      throw new UsageError('--unseen is for resellers, and not for a CSV.');
    const input = { query: { status } };
    if (options.out) {
      const asCsv = { ...context.call, accept: 'text/csv' };
      const response = me.is_reseller
        ? await api.stream.listOwnDealRequests(input, asCsv)
        : await api.stream.listDealRequests(input, asCsv);
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    const rows = me.is_reseller
      ? api.paginate.listOwnDealRequests({ query: { status, unseen } }, context.call)
      : api.paginate.listDealRequests(input, context.call);
    await printRows(context, rows, options, {
      head: [
        'ID',
        me.is_reseller ? 'DEVELOPER' : 'RESELLER',
        'PRODUCT',
        'PRICE',
        'QUANTITY',
        'PROMO STARTS',
        'PROMO EXPIRES',
        'REDEEM BY',
        'STATUS',
        'ANSWER',
      ],
      cells: (row) => {
        const terms = row.accepted ?? row;
        const owner = row.accepted ? row.developer_time_zone : row.reseller_time_zone;
        return [
          row.id,
          me.is_reseller ? row.developer_name : row.reseller_name,
          row.product_name,
          money(terms.price),
          terms.quantity,
          chosen(terms.promo_start, 'start', owner),
          chosen(terms.promo_expires, 'end', owner),
          chosen(terms.expires_at, 'end', owner),
          row.status === 'pending' && !row.is_open ? 'not possible' : row.status,
          row.answer,
        ];
      },
      none: 'No requests found\n',
    });
  },
});
