import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { printRows } from '../../output/rows.ts';
import { findSoldProductId } from '../../resolve.ts';

export const stockDownloads = defineCommand({
  path: 'stock downloads',
  summary: 'List the files of serials you downloaded, newest first',
  operations: ['listStockDownloads'],
  options: { product: text('<product>', 'id or name'), ...PAGE },
  examples: ['tonerow stock downloads'],
  async run({ context, options }) {
    const api = await context.api();
    const product_id = options.product && (await findSoldProductId(api, options.product, context.io.signal));
    await printRows(context, api.paginate.listStockDownloads({ query: { product_id } }, context.call), options, {
      head: ['AT', 'PRODUCT', 'CODES', 'TAGS'],
      cells: (row) => [row.downloaded_at, row.product_name, row.codes, tagsOf(row.batches)],
      none: 'No files downloaded yet.\n',
    });
  },
});

/** The tags of batches, each once. */
export function tagsOf(batches: { batch_tag: string | null }[]): string {
  return [...new Set(batches.map(({ batch_tag }) => batch_tag).filter(Boolean))].join(', ');
}
