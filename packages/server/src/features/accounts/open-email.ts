import type { Sql } from '#platform/db/database.ts';
import { tables } from './tables.ts';

/** The email address of an account, as long as that is open. */
export async function openEmailOf(handle: Sql, accountId: string): Promise<string | undefined> {
  const account = await tables
    .in(handle)
    .selectFrom('users')
    .select('email')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return account?.email;
}
