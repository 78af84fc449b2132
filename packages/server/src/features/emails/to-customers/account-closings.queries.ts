import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { hasRedeemed, isProven } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Columns } from '#platform/db/tables.ts';
import { type EmailsHandle, tables } from '../tables.ts';

/** Customers in one transaction. */
export const BATCH = 500;
/** The most serials of one customer in one email. */
const MOST_SERIALS = 20;

/** Notes who is closed, while the account still has a name. False for one that is no developer's. */
export async function beginClosing(handle: Sql, accountId: string): Promise<boolean> {
  const begun = await tables
    .in(handle)
    .insertInto('account_closings')
    .columns(['developer_id', 'name', 'verified'])
    .expression((eb) =>
      eb
        .selectFrom('users as u')
        .select(['u.id', nameOf('u').as('name'), sql<boolean>`u.email_verified_at is not null`.as('verified')])
        .where('u.id', '=', accountId)
        .where('u.role', '=', 'developer'),
    )
    .returning('developer_id')
    .executeTakeFirst();
  return begun !== undefined;
}

export function holdClosing(tx: EmailsHandle, developerId: string) {
  return tx
    .selectFrom('account_closings')
    .select(['name', 'told_created_at', 'told_id'])
    .where('developer_id', '=', developerId)
    .forUpdate()
    .executeTakeFirst();
}

interface LastNotified {
  told_created_at: Date | null;
  told_id: string | null;
}

interface CustomerRow extends Columns<'customers', 'id' | 'email' | 'created_at' | 'language'> {
  name: string;
  proven: boolean;
  /** Product, code and id of each; null for a customer who is not notified. */
  serials: [string, string, string][] | null;
}

/**
 * The next customers in order of creation, with the serials that they own and can use. Only those who came by themselves are notified:
 * others have never dealt with us, and importing addresses and then deleting the account must not be a way to send email to anybody.
 * Nor must redeeming in their names be one: customers who have followed no link of ours learn it in our words. Serials
 * are read by their customer, and their products by key, whatever the planner believes of this account.
 */
export async function nextCustomers(
  tx: EmailsHandle,
  developerId: string,
  { told_created_at: at, told_id: id }: LastNotified,
): Promise<CustomerRow[]> {
  const { rows } = await sql<CustomerRow>`
    select c.id, c.email, c.created_at, concat_ws(' ', c.first_name, c.last_name) as name, c.language, ${isProven('c')} as proven, o.serials
    from (
      select * from customers c
      where c.developer_id = ${developerId} and ${inList('c.created_at')} and c.erased_at is null
        and ${at ? sql`(c.created_at, c.id) > (${at}::timestamptz, ${id}::uuid)` : sql`true`}
      order by c.created_at, c.id limit ${sql.lit(BATCH)}
    ) c
    left join lateral (
      select json_agg(json_build_array(owned.product, owned.code, owned.id)) as serials
      from (
        select p.name as product, s.code, s.id
        from (
            select * from serials s where s.developer_id = ${developerId} and s.customer_id = c.id and s.redeemed_at is not null
              and s.revoked_at is null offset 0
          ) s
          cross join lateral (
            select * from batches b where b.developer_id = ${developerId} and b.id = s.batch_id limit 1) b
          cross join lateral (
            select * from products p where p.developer_id = ${developerId} and p.id = b.product_id and p.deleted_at is null limit 1) p
        order by s.redeemed_at desc, s.id desc limit ${sql.lit(MOST_SERIALS)}
      ) owned
    ) o on ${hasRedeemed('c')}
    order by c.created_at, c.id`.execute(tx);
  return rows;
}

/** Everybody was notified up to this customer. */
export async function noteNotified(
  tx: EmailsHandle,
  developerId: string,
  last: { id: string; created_at: Date },
): Promise<void> {
  await tx
    .updateTable('account_closings')
    .set({ told_created_at: last.created_at, told_id: last.id })
    .where('developer_id', '=', developerId)
    .execute();
}

export async function endClosing(tx: EmailsHandle, developerId: string): Promise<void> {
  await tx.deleteFrom('account_closings').where('developer_id', '=', developerId).execute();
}
