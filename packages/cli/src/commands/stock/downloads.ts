import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findSoldProductId } from '#input/find-by-name.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { printRows } from '#output/rows.ts';

export const stockDownloads = defineCommand({
  path: 'stock downloads',
  summary: 'List the files of serials you downloaded, newest first',
  operations: ['listStockDownloads'],
  options: {
    product: text('<product>', 'id or name'),
    ...PAGE,
    out: text('<file>', 'all as CSV, a line for each batch ("-" for standard output)'),
  },
  examples: ['tonerow stock downloads', 'tonerow stock downloads --out files.csv'],
  async run({ context, options }) {
    const api = await context.api();
    const product_id = options.product && (await findSoldProductId(api, options.product, context.io.signal));
    const query = { product_id };
    if (options.out) {
      const response = await api.stream.listStockDownloads({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    await printRows(context, api.paginate.listStockDownloads({ query }, context.call), options, {
      head: ['AT', 'DEVELOPER', 'PRODUCT', 'CODES', 'TAGS'],
      cells: (row) => [row.downloaded_at, row.developer_name, row.product_name, row.codes, tagsOf(row.batches)],
      none: 'No files downloaded yet.\n',
      more: '--out FILE',
    });
  },
});

/** The tags of batches, each once. */
export function tagsOf(batches: { batch_tag: string | null }[]): string {
  return [...new Set(batches.map(({ batch_tag }) => batch_tag).filter(Boolean))].join(', ');
}
