import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';
import { tables } from '../tables.ts';

/**
 * Locks the caller's account until the transaction ends, and checks the credential again. It was valid when the request
 * came in; a request whose credential a new password has revoked since then must leave nothing behind.
 * @returns the account's email address.
 * @throws {AppError} invalid_token
 */
export async function lockAccount(
  handle: Sql,
  caller: Pick<Principal, 'kind' | 'accountId' | 'credentialId'>,
): Promise<string> {
  const sql = tables.in(handle);
  const account = await sql
    .selectFrom('users')
    .select('email')
    .where('id', '=', caller.accountId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  // a separate statement, so that it sees what was committed while the first one waited
  const held = await sql
    .selectFrom(caller.kind === 'session' ? 'sessions' : 'access_tokens')
    .select('id')
    .where('id', '=', caller.credentialId)
    .where('user_id', '=', caller.accountId)
    .executeTakeFirst();
  if (!account || !held) {
    throw new AppError('invalid_token', 'The token is unknown, expired or revoked. Sign in again.');
  }
  return account.email;
}
