import type { Sql } from '#platform/db/database.ts';
import { tables } from '../tables.ts';

/** Notes that the account's owner has shown to read the email of its address, as by a link that was sent there. */
export async function verifyAddress(handle: Sql, accountId: string, now: Date): Promise<void> {
  await tables
    .in(handle)
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute();
}
