import type { Principal } from '#platform/access/access.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';

/**
 * Locks the caller's account until the transaction ends, and checks the credential again. It was valid when the request
 * came in; a request whose credential a new password has revoked since then must leave nothing behind.
 * @returns the account's email address.
 * @throws {AppError} invalid_token
 */
export async function lockAccount(sql: Sql, caller: Principal): Promise<string> {
  const [account] = await sql.query<{ email: string }>(
    'select email from users where id = $1 and deleted_at is null for no key update',
    [caller.userId],
  );
  const table = caller.kind === 'session' ? 'sessions' : 'access_tokens';
  // a separate statement, so that it sees what was committed while the first one waited
  const held = await sql.query(`select 1 from ${table} where id = $1 and user_id = $2`, [
    caller.credentialId,
    caller.userId,
  ]);
  if (!account || held.length === 0) {
    throw new AppError('invalid_token', 'The token is unknown, expired or revoked. Sign in again.');
  }
  return account.email;
}
