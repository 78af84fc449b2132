import type { ShopsHandle } from '../tables.ts';

/** Whether a shop's account is a reseller: then it sells from their stock. */
export async function isReseller(handle: ShopsHandle, accountId: string): Promise<boolean> {
  const account = await handle.selectFrom('users').select('role').where('id', '=', accountId).executeTakeFirst();
  return account?.role === 'reseller';
}
