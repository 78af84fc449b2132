import type { Batch } from '@tonerow/sdk';
import { defineCommand } from '../../define-command.ts';
import { text } from '../../option-types.ts';
import { outOf, receive } from '../../output/stream.ts';
import { list, money } from '../../output/table.ts';

export const serialsBatch = defineCommand({
  path: 'serials batch',
  summary: 'Show a batch and the state of its serials; --out downloads the serials',
  operations: ['getBatch'],
  args: [['<id>', 'from "tonerow serials batches"']],
  options: {
    out: text('<file>', 'its serials as CSV ("-" for standard output)'),
  },
  examples: [
    'tonerow serials batch 01900000-0000-7000-8000-000000000001',
    'tonerow serials batch 01900000-0000-7000-8000-000000000001 --out batch.csv',
  ],
  async run({ context, args: [id], options }) {
    const api = await context.api();
    // also with --out: the serials of an unknown batch would be an empty list
    const batch = await api.getBatch({ path: { id } }, context.call);
    if (options.out) {
      const query = { batch_id: id };
      const response = await api.stream.listSerials({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    await context.print(batch, factsOf(batch));
  },
});

function factsOf(batch: Batch): string {
  return list([
    ['Batch', batch.id],
    ['Product', batch.product_name],
    ['Reseller', batch.reseller_name],
    ['Origin', batch.origin],
    ['Quantity', batch.quantity],
    ['Open', batch.open],
    ['Handed out', batch.handed_out],
    ['Redeemed', batch.redeemed],
    ['Revoked', batch.revoked],
    ['Promo price', money(batch.promo_price)],
    ['Active from', batch.promo_start],
    ['Promo expires', batch.promo_expires],
    ['Expires', batch.expires_at],
    ['Tag', batch.batch_tag],
    ['Notes', batch.notes],
    ['Created', batch.created_at],
  ]);
}
