import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { ErasedPerson } from '#platform/feature.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { type DepartedShop, takeCredentials } from './connections/farewell.ts';
import { closed } from './connections/shop-changes.ts';
import { tables } from './tables.ts';

/** An order without its customer. */
const noCustomer = {
  email: null,
  email_as_sold: null,
  email_key: null,
  first_name: null,
  last_name: null,
  note: null,
  pickup_code: null,
};

/** Erases a customer: who it was, and all that the shop sent about the orders. What was sold, and for how much, stays. */
export async function erasePerson(handle: Sql, { developerId, emails }: ErasedPerson, now: Date): Promise<void> {
  const tx = tables.in(handle);
  const keys = emails.map(emailKey);
  await tx
    .deleteFrom('shop_order_links')
    .where('developer_id', '=', developerId)
    .where('email_key', '=', sql<string>`any(${keys}::text[])`)
    .execute();
  const orders = await tx
    .updateTable('shop_orders')
    .set({ ...noCustomer, erased_at: now })
    .where('developer_id', '=', developerId)
    .where('email_key', '=', sql<string>`any(${keys}::text[])`)
    .returning(['connection_id', 'external_id'])
    .execute();
  if (orders.length === 0) return;
  await sql`
    update shop_deliveries d set body = '', headers = '{}'
    from unnest(${orders.map(({ connection_id }) => connection_id)}::uuid[], ${orders.map(({ external_id }) => external_id)}::text[])
      as t (connection_id, order_key)
    where d.developer_id = ${developerId} and d.connection_id = t.connection_id and d.order_key = t.order_key`.execute(
    tx,
  );
}

/**
 * Erases the credentials of an account's shops and the personal data of their customers, in the transaction that
 * deletes the account.
 * @returns the credentials, for one last call to each shop once that is committed.
 */
export async function eraseShopsOf(handle: Sql, accountId: string, now: Date): Promise<DepartedShop[]> {
  const tx = tables.in(handle);
  const departed = await takeCredentials(tx, accountId);
  await tx
    .updateTable('shop_connections')
    .set({ ...closed, deleted_at: sql<Date>`coalesce(deleted_at, ${now}::timestamptz)` })
    .where('developer_id', '=', accountId)
    .execute();
  await tx
    .updateTable('shop_orders')
    .set({ ...noCustomer, erased_at: now })
    .where('developer_id', '=', accountId)
    .where('erased_at', 'is', null)
    .execute();
  await tx.deleteFrom('shop_order_links').where('developer_id', '=', accountId).execute();
  await tx
    .updateTable('shop_deliveries')
    .set({ body: Buffer.alloc(0), headers: '{}' })
    .where('developer_id', '=', accountId)
    .execute();
  return departed;
}
