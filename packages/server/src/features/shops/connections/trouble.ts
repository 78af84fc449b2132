import { sql } from 'kysely';
import type { ShopsHandle } from '../tables.ts';

/**
 * Notes what somebody has to mend about a shop.
 * @returns its name, if that is news; else null.
 */
export async function noteTrouble(
  handle: ShopsHandle,
  { accountId, shopId, trouble }: { accountId: string; shopId: string; trouble: string },
): Promise<string | null> {
  const [noted] = await handle
    .updateTable('shop_connections')
    .set({ trouble, state: sql`case when state = 'off' then state else 'attention' end` })
    .where('developer_id', '=', accountId)
    .where('id', '=', shopId)
    .where('deleted_at', 'is', null)
    .where('trouble', 'is distinct from', trouble)
    .returning('name')
    .execute();
  return noted?.name ?? null;
}

/** That the shop takes no note is over when it takes one. */
export const isOfNotes = (trouble: string): boolean => trouble.includes('customer note');
/** Trouble with the shop's API is over when that answers; everything else when something comes that can be used. */
export const isOfApi = (trouble: string): boolean => trouble.includes('API') && !isOfNotes(trouble);
