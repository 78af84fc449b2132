import { listSerialGroupKind } from '@tonerow/sdk/values';
import { choice, text, type ValuesOf } from '#define/option-types.ts';
import { findProduct } from '#input/find-by-name.ts';
import type { Context } from '#run/context.ts';

export const WHICH = {
  kind: choice('<kind>', 'regular or promo, when a product and a promo share the name', {
    values: listSerialGroupKind,
  }),
  product: text('<product>', 'id or name, when promos of two products share the name'),
};

/** The parameters that identify a group. */
export async function groupOf(context: Context, name: string, { kind, product: wanted }: ValuesOf<typeof WHICH>) {
  const product = wanted ? await findProduct(await context.api(), wanted, context.io.signal) : undefined;
  return {
    path: { groupName: name },
    query: { kind, product_id: product?.id },
  };
}
