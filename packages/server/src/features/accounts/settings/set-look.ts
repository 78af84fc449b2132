import type { Updateable } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Tables } from '#platform/db/tables.ts';
import { AppError } from '#platform/errors.ts';
import { tables } from '../tables.ts';

/** How an account looks to its customers, and which emails it and they get. */
type Look = Pick<
  Updateable<Tables['users']>,
  | 'logo_url'
  | 'brand_color'
  | 'dark_mode'
  | 'support_email'
  | 'support_url'
  | 'send_customer_emails'
  | 'notify_redemptions'
  | 'notify_low_serials'
  | 'notify_webhook_fail'
  | 'notify_announcements'
>;

/**
 * Changes the look of an account, for the feature that shows it. What is left out stays.
 * @throws {AppError} unauthorized when the account has been deleted.
 */
export async function setLook(
  handle: Sql,
  accountId: string,
  changes: { [Field in keyof Look]: Look[Field] | undefined },
  now: Date,
): Promise<void> {
  const own = tables.in(handle);
  const account = await own
    .selectFrom('users')
    .select('notify_redemptions')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw new AppError('unauthorized', 'This account has been deleted.');
  // events while emails were off are not reported later
  const begins = changes.notify_redemptions === true && !account.notify_redemptions;
  const fields = { ...changes, digested_until: begins ? now : undefined };
  if (Object.values(fields).every((value) => value === undefined)) return;
  await own
    .updateTable('users')
    .set(fields as Look)
    .where('id', '=', accountId)
    .execute();
}
