import { listResellerProductsSort } from '@tonerow/sdk/values';
import { choice, text } from '#define/option-types.ts';
import { findDealId, findSoldProductId } from '#input/find-by-name.ts';
import type { Context } from '#run/context.ts';

/** Options of the lists of products and deals. */
export const LISTED = {
  developer: text('<developer>', 'only this developer’s, by id or name'),
  search: text('<text>', 'product, developer or batch tag'),
  sort: choice('<order>', 'newest, by name, or most redemptions first', {
    values: listResellerProductsSort,
    fallback: 'recent',
  }),
};

/** Options that choose among the serials of a product. */
export const SERIALS = {
  deal: text('<deal>', 'only serials of this deal: the tag of its batch, or the id that "tonerow deals list" shows'),
  search: text('<text>', 'the beginning of a code, or a customer’s name or email address'),
};

/** A client, and which serials of which product are meant. */
export async function soldSerials(
  context: Context,
  product: string,
  { deal, search }: { deal: string | undefined; search?: string | undefined },
) {
  const api = await context.api();
  const id = await findSoldProductId(api, product, context.io.signal);
  const dealId = deal === undefined ? undefined : await findDealId(api, deal, id, context.io.signal);
  return { api, path: { id }, query: { deal: dealId, search } };
}
