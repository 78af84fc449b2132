import { emailKey } from '#platform/text/email-address.ts';
import type { AccountsDb } from '../tables.ts';

/** Only from the server's own machine. @returns undefined when there is no such account. */
export async function setAdmin(
  db: AccountsDb,
  email: string,
  admin: boolean,
): Promise<{ verified: boolean } | undefined> {
  const account = await db
    .updateTable('users')
    .set({ is_admin: admin })
    .where('email_key', '=', emailKey(email))
    .returning('email_verified_at')
    .executeTakeFirst();
  return account && { verified: account.email_verified_at !== null };
}
