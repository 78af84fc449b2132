import type { Context } from '#run/context.ts';

/** Where the payment of an invoice is confirmed with the bank: a browser is needed for that. */
export async function confirmPage(context: Context, id: string): Promise<string> {
  const { baseUrl } = await context.clientOptions(undefined);
  return `${baseUrl}/dashboard/settings/card?invoice=${id}`;
}
