import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { mustNotPrintFile, outOf, receive } from '#output/files/stream.ts';
import { SERIALS, soldSerials } from '../deals/filter.ts';

export const stockDownload = defineCommand({
  path: 'stock download',
  summary: 'Download the available serials of a product as CSV; its developer sees that you took them',
  operations: ['downloadStock'],
  args: [['<product>', 'id or name, from "tonerow deals products"']],
  options: {
    deal: SERIALS.deal,
    batchTag: text('<tag>', 'only batches with this tag'),
    out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
  },
  examples: ['tonerow stock download "Prism Delay" --out prism.csv'],
  async run({ context, args: [product], options: { deal, batchTag, out } }) {
    mustNotPrintFile(context, out);
    const { api, path, query: which } = await soldSerials(context, product, { deal });
    const query = { product_id: path.id, deal: which.deal, batch_tag: batchTag };
    const response = await api.stream.downloadStock({ query }, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, out), 'Receiving');
    context.note('These codes count as in circulation.');
  },
});
