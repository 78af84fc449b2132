import { Failure } from '#exit.ts';
import type { Context } from '#run/context.ts';

export const WHO = [['<customer>', 'id or email address']] as const;

/** A customer by id or address. */
export async function find(context: Context, text: string): Promise<string> {
  if (/^[0-9a-f-]{36}$/i.test(text)) return text;
  const api = await context.api();
  // the search also finds addresses that contain this one
  for await (const each of api.paginate.listCustomers({ query: { search: text } }, context.call)) {
    if (each.email.toLowerCase() === text.toLowerCase()) return each.id;
  }
  throw new Failure(`You have no customer ${text}.`, 'not_found');
}
