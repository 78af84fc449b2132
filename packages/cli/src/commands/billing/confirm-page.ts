import type { Context } from '#run/context.ts';

/** The page on which the payment of an invoice is confirmed with the bank. That needs a browser. */
export async function confirmPage(context: Context, id: string): Promise<string> {
  const { baseUrl } = await context.clientOptions(undefined);
  return `${baseUrl}/dashboard/settings/card?invoice=${id}`;
}
