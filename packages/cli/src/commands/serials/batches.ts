import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { printRows } from '../../output/rows.ts';
import { day } from '../../output/table.ts';
import { findProduct } from '../../resolve.ts';

export const serialsBatches = defineCommand({
  path: 'serials batches',
  summary: 'List batches, newest first',
  operations: ['listBatches'],
  options: {
    product: text('<product>', 'id or name'),
    search: text('<text>', 'product, tag, notes or reseller'),
    ...PAGE,
  },
  examples: ['tonerow serials batches --product "Prism Delay"'],
  async run({ context, options }) {
    const api = await context.api();
    const product = options.product ? await findProduct(api, options.product, context.io.signal) : undefined;
    const query = { product_id: product?.id, search: options.search };
    await printRows(context, api.paginate.listBatches({ query }, context.call), options, {
      head: ['ID', 'PRODUCT', 'TAG', 'RESELLER', 'QUANTITY', 'OPEN', 'HANDED OUT', 'REDEEMED', 'REVOKED', 'MADE'],
      cells: (row) => [
        row.id,
        row.product_name,
        row.batch_tag,
        row.reseller_name,
        row.quantity,
        row.open,
        row.handed_out,
        row.redeemed,
        row.revoked,
        day(row.created_at),
      ],
      none: 'No batches yet.\n',
    });
  },
});
