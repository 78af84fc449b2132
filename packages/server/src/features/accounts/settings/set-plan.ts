import type { Sql } from '#platform/db/database.ts';
import { AppError } from '#platform/errors.ts';
import { tables } from '../tables.ts';

/**
 * Changes the account's plan, for the feature that knows what plans mean. Nothing else changes it.
 * @returns the plan until now.
 * @throws {AppError} invalid_token when the account has been deleted.
 */
export async function setPlan(handle: Sql, accountId: string, plan: string): Promise<string> {
  const sql = tables.in(handle);
  const account = await sql
    .selectFrom('users')
    .select('plan')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw new AppError('invalid_token', 'The account has been deleted.');
  if (account.plan !== plan) await sql.updateTable('users').set({ plan }).where('id', '=', accountId).execute();
  return account.plan;
}
