import { listDrawsState } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { developerIds } from '#input/filter-ids.ts';
import { findSoldProductId } from '#input/find-by-name.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';
import { day } from '#output/zone.ts';

export const drawsList = defineCommand({
  path: 'draws list',
  summary: 'List the codes you have handed out, newest first',
  operations: ['listDraws'],
  options: {
    state: choice('<state>', 'handed_out, redeemed, revoked or returned', {
      values: listDrawsState,
    }),
    product: text('<product>', 'id or name'),
    developer: text('<developer>', 'only this developer’s, by id or name'),
    search: text('<text>', 'part of the reference or of a code'),
    ...PAGE,
    out: text('<file>', 'all as CSV, a line for each code ("-" for standard output)'),
  },
  examples: ['tonerow draws list --state handed_out', 'tonerow draws list --out draws.csv'],
  async run({ context, options }) {
    const api = await context.api();
    const product_id = options.product && (await findSoldProductId(api, options.product, context.io.signal));
    const developer_id = await developerIds(context, options.developer);
    const query = { state: options.state, product_id, developer_id, search: options.search };
    if (options.out) {
      const response = await api.stream.listDraws({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    await printRows(context, api.paginate.listDraws({ query }, context.call), options, {
      head: [
        'REFERENCE',
        'PRODUCT',
        'DEVELOPER',
        'TAG',
        'CODES',
        'HANDED OUT',
        'REDEEMED',
        'REVOKED',
        'RETURNED',
        'AT',
      ],
      cells: (row) => [
        row.reference,
        row.product_name,
        row.developer_name,
        row.batch_tag,
        row.quantity,
        row.states.handed_out,
        row.states.redeemed,
        row.states.revoked,
        row.states.returned,
        day(row.created_at),
      ],
      none: 'No codes handed out yet.\n',
      more: '--out FILE',
    });
  },
});
