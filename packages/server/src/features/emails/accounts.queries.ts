import type { Sql } from '#platform/db/database.ts';
import { tables } from './tables.ts';

const account = tables.named('account', (begin, id: string) =>
  begin
    .selectFrom('users')
    .select(['role', 'email', 'company_name', 'first_name', 'last_name'])
    .select(['brand_color', 'logo_url', 'support_email', 'support_url'])
    .select(['send_customer_emails', 'notify_redemptions', 'redemption_emails', 'notify_low_serials'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null),
);

export type Account = Awaited<ReturnType<typeof account>>[number];

/** An account that is open, with what its emails look like and which of them it wants. */
export async function findAccount(handle: Sql, id: string): Promise<Account | undefined> {
  const [found] = await account(handle, id);
  return found;
}

export const nameOfAccount = ({ company_name, first_name, last_name }: Account) =>
  company_name || `${first_name} ${last_name}`;
