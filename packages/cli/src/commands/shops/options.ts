import type { OperationClient } from '@tonerow/sdk/operations';
import { findShopId } from '#input/find-by-name.ts';
import type { Context } from '#run/context.ts';

export const WHICH = [['<shop>', 'id or name']] as const;
export const ORDER = [['<order>', 'its id, as "tonerow shops orders" shows it']] as const;

/** A client, and the shop that is meant. */
export async function shopOf(context: Context, which: string): Promise<{ api: OperationClient; id: string }> {
  const api = await context.api();
  return { api, id: await findShopId(api, which, context.io.signal) };
}
