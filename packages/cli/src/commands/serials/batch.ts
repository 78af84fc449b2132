import type { Batch, BatchFunnel } from '@tonerow/sdk';
import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { findBatchId } from '#input/find-by-name.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { list, money, table } from '#output/table.ts';
import { chosen } from '#output/zone.ts';

export const serialsBatch = defineCommand({
  path: 'serials batch',
  summary: 'Show a batch, its terms and how far its serials came; --out downloads the serials',
  operations: ['getBatch', 'getBatchFunnel'],
  args: [['<batch>', 'its tag, or its id from "tonerow serials batches"']],
  options: {
    out: text('<file>', 'its serials as CSV ("-" for standard output)'),
  },
  examples: [
    'tonerow serials batch "Black Friday"',
    'tonerow serials batch 01900000-0000-7000-8000-000000000001 --out batch.csv',
  ],
  async run({ context, args: [tag], options }) {
    const api = await context.api();
    const id = await findBatchId(api, tag, context.io.signal);
    // also with --out: the serials of an unknown batch would be an empty list
    const batch = await api.getBatch({ path: { id } }, context.call);
    if (options.out) {
      const query = { batch_id: id };
      const response = await api.stream.listSerials({ query }, { ...context.call, accept: 'text/csv' });
      return receive(context, response, outOf(context, options.out), 'Receiving');
    }
    const { stages } = await api.getBatchFunnel({ path: { id } }, context.call);
    await context.print({ ...batch, stages }, `${factsOf(batch)}\n${funnelOf(stages)}`);
  },
});

const words: Record<string, string> = {
  generated: 'Generated',
  handed_out: 'Handed out',
  redeemed: 'Redeemed',
  activated: 'Activated',
};

function funnelOf(stages: BatchFunnel['stages']): string {
  return table(
    ['STAGE', 'SERIALS', 'OF ALL', 'OF THE STAGE BEFORE'],
    stages.map(({ stage, count, share, of_previous }) => [
      words[stage] ?? stage,
      count,
      `${share}%`,
      of_previous === null ? null : `${of_previous}%`,
    ]),
  );
}

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
    ['Active from', chosen(batch.promo_start, 'start')],
    ['Promo expires', chosen(batch.promo_expires, 'end')],
    ['Expires', chosen(batch.expires_at, 'end')],
    ['Tag', batch.batch_tag],
    ['Notes', batch.notes],
    ['Created', batch.created_at],
  ]);
}
