import type { OperationClient } from '@tonerow/sdk/operations';
import { text, texts } from '#define/option-types.ts';
import type { Context } from '#run/context.ts';
import {
  findBatchId,
  findCustomerId,
  findDeveloperId,
  findProduct,
  findResellerId,
  findShopId,
  findSoldProductId,
} from './find-by-name.ts';
import { isId } from './is-id.ts';

type Find = (api: OperationClient, name: string, signal: AbortSignal) => Promise<string>;

/** Options that filter by things: by id or name, several with commas, and without those after "-". */
export const BY_PRODUCT = {
  product: texts('<products>', 'id or name, several with commas; "-" before one leaves it out'),
};
export const BY_BATCH = { batch: text('<batches>', 'ids or tags of batches') };
export const byReseller = (own: string) => ({
  reseller: text('<resellers>', `ids or names of resellers, or "none" for your own ${own}`),
});

export const BY_SHOP = {
  shop: text('<shops>', 'ids or names of shops, several with commas; "-" before one leaves it out'),
};

/** The ids that the server filters products by. */
export const productIds = (context: Context, given: readonly string[]): Promise<string | undefined> =>
  idsOf(context, given, async (api, name, signal) => (await findProduct(api, name, signal)).id);
export const soldProductIds = (context: Context, given: readonly string[]) => idsOf(context, given, findSoldProductId);
export const resellerIds = (context: Context, given: string | undefined) => idsOf(context, [given], findResellerId);
export const developerIds = (context: Context, given: string | undefined) => idsOf(context, [given], findDeveloperId);
export const shopIds = (context: Context, given: string | undefined) => idsOf(context, [given], findShopId);
export const customerIds = (context: Context, given: string | undefined) => idsOf(context, [given], findCustomerId);
export const batchIds = (context: Context, given: string | undefined) => idsOf(context, [given], findBatchId);

/** Looks up only names: ids need no credential that may read the things. */
async function idsOf(
  context: Context,
  given: readonly (string | undefined)[],
  find: Find,
): Promise<string | undefined> {
  const idOf = async (text: string) => {
    const out = text.startsWith('-') ? '-' : '';
    const name = text.slice(out.length);
    const known = name === '' || name === 'none' || isId(name);
    return `${out}${known ? name : await find(await context.api(), name, context.io.signal)}`;
  };
  const ids: string[] = [];
  for (const value of given) {
    if (value === undefined) continue;
    const parts = value.split(',').map((part) => part.trim());
    // a name may have a comma itself
    const whole = parts.length > 1 && !parts.some((part) => isId(part.replace(/^-/, ''))) ? idOf(value) : undefined;
    const found = await whole?.catch((error: { code?: string }) => {
      if (error.code !== 'not_found') throw error;
      return undefined;
    });
    if (found !== undefined) ids.push(found);
    else for (const part of parts) ids.push(await idOf(part));
  }
  return ids.length === 0 ? undefined : ids.join(',');
}
