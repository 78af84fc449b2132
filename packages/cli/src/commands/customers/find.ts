import type { OperationClient } from '@tonerow/sdk/operations';
import { findCustomerId } from '#input/find-by-name.ts';
import type { Context } from '#run/context.ts';

export const WHO = [['<customer>', 'id or email address']] as const;

/** A client, and the customer who is meant. */
export async function customerOf(context: Context, who: string): Promise<{ api: OperationClient; id: string }> {
  const api = await context.api();
  return { api, id: await findCustomerId(api, who, context.io.signal) };
}
