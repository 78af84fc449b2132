import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findBatchId, findProduct, findResellerId } from '#input/find-by-name.ts';
import { printRows } from '#output/rows.ts';
import { tagsOf } from '../stock/downloads.ts';

export const resellersDownloads = defineCommand({
  path: 'resellers downloads',
  summary: 'List the files of serials that resellers downloaded, newest first',
  operations: ['listResellerDownloads'],
  options: {
    reseller: text('<reseller>', 'id or name'),
    product: text('<product>', 'id or name'),
    batch: text('<batch>', 'only files with codes of this batch, by id or tag'),
    ...PAGE,
  },
  examples: ['tonerow resellers downloads --reseller "Plugin Shop"'],
  async run({ context, options }) {
    const api = await context.api();
    const { signal } = context.io;
    const query = {
      reseller_id: options.reseller && (await findResellerId(api, options.reseller, signal)),
      product_id: options.product && (await findProduct(api, options.product, signal)).id,
      batch_id: options.batch && (await findBatchId(api, options.batch, signal)),
    };
    await printRows(context, api.paginate.listResellerDownloads({ query }, context.call), options, {
      head: ['AT', 'RESELLER', 'PRODUCT', 'CODES', 'TAGS'],
      cells: (row) => [row.downloaded_at, row.reseller_name, row.product_name, row.codes, tagsOf(row.batches)],
      none: 'No files downloaded yet.\n',
    });
  },
});
