import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';

/**
 * Changes the account's plan, for the feature that knows what plans mean. Nothing else changes it.
 * @returns the plan until now.
 * @throws {AppError} invalid_token when the account has been deleted.
 */
export async function setPlan(sql: Sql, accountId: string, plan: string): Promise<string> {
  const [account] = await sql.query<{ plan: string }>(
    'select plan from users where id = $1 and deleted_at is null for no key update',
    [accountId],
  );
  if (!account) throw new AppError('invalid_token', 'The account has been deleted.');
  if (account.plan !== plan) await sql.query('update users set plan = $2 where id = $1', [accountId, plan]);
  return account.plan;
}
