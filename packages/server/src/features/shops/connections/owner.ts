import type { ShopsHandle } from '../tables.ts';

export async function findRole(handle: ShopsHandle, accountId: string) {
  const account = await handle.selectFrom('users').select('role').where('id', '=', accountId).executeTakeFirst();
  return account?.role;
}

/** Whether a shop's account is a reseller: then it sells from their stock. */
export const isReseller = async (handle: ShopsHandle, accountId: string): Promise<boolean> =>
  (await findRole(handle, accountId)) === 'reseller';
