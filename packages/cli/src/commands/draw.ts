import type { OperationClient } from '@tonerow/sdk/operations';
import { defineCommand } from '#define/define-command.ts';
import { number, required, text } from '#define/option-types.ts';
import { Failure } from '#exit.ts';
import { findSoldProductId } from '#input/find-by-name.ts';
import { sameName } from '#input/same-name.ts';

export const drawCommand = defineCommand({
  path: 'draw',
  summary: 'Hand out codes of a product you sell, at the moment of sale',
  operations: ['drawSerials'],
  args: [['<product>', 'id or name, from "tonerow deals products"']],
  options: {
    reference: required(
      text('<order>', 'your name for the sale; the same one gets the same codes again'),
      'Name the sale with --reference, such as the order number.',
    ),
    quantity: number('<n>', 'how many codes, at most 100', { fallback: '1' }),
    batchTag: text('<tag>', 'only from batches with this tag'),
  },
  examples: [
    'tonerow draw "Prism Delay" --reference order-1042',
    'tonerow draw 01900000-0000-7000-8000-000000000001 --reference order-1043 --quantity 2 --batch-tag spring',
  ],
  async run({ context, args: [product], options: { reference, quantity, batchTag } }) {
    const api = await context.api();
    const product_id = await findDrawnProductId(api, product, reference, context.io.signal);
    const body = { product_id, reference, quantity, batch_tag: batchTag };
    const drawn = await api.drawSerials({ body }, context.call);
    const returned = drawn.serials.filter(({ returned_at }) => returned_at !== null).map(({ code }) => code);
    if (returned.length > 0) {
      throw new Failure(
        `${reference} was drawn before, and ${returned.join(', ')} returned since: another customer may have it. Draw with another reference.`,
      );
    }
    await context.print(drawn, drawn.codes.map((code) => `${code}\n`).join(''));
  },
});

/** A draw can be repeated even when its product is no longer for sale: its name is then found in the draw itself. */
async function findDrawnProductId(
  api: OperationClient,
  product: string,
  reference: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await findSoldProductId(api, product, signal);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const earlier = await api.getDraw({ path: { reference } }, { signal }).catch(() => null);
    if (earlier && sameName(earlier.product_name, product)) return earlier.product_id;
    throw error;
  }
}
