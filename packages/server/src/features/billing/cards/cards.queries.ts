import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { Card } from '#platform/payments/payments.ts';

export interface CustomerRow {
  stripe_customer_id: string;
  payment_method_id: string | null;
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
}

const COLUMNS = 'stripe_customer_id, payment_method_id, brand, last4, exp_month, exp_year';

export async function customerRow(sql: Sql, developerId: string, lock = ''): Promise<CustomerRow | undefined> {
  const [row] = await sql.query<CustomerRow>(
    `select ${COLUMNS} from billing_customers where developer_id = $1 ${lock}`,
    [developerId],
  );
  return row;
}

/**
 * What a developer's balance at Stripe owes, in cents, as far as our invoices tell: what was added because it was too small to
 * charge, less what a later invoice has collected of it.
 */
export async function owedOnBalance(sql: Sql, developerId: string): Promise<number> {
  const [row] = await sql.query<{ cents: number }>(
    `select greatest(0, coalesce(sum(
       case when s.paid_by = 'next_invoice' then s.total_cents + s.balance_cents else 0 end - greatest(0, s.balance_cents)), 0))::bigint as cents
     from billing_statements s where s.developer_id = $1 and ${listOf('s', 'closed_at')} and s.state = 'paid' and s.paid_by is not null`,
    [developerId],
  );
  return row?.cents ?? 0;
}

/** Notes the customer of a developer, unless another one was noted meanwhile. @returns the one that counts. */
export async function noteCustomer(
  sql: Sql,
  developerId: string,
  customerId: string,
  insteadOf: string | null,
): Promise<string> {
  await sql.query(
    `insert into billing_customers as c (developer_id, stripe_customer_id) values ($1, $2)
     on conflict (developer_id) do update set stripe_customer_id = excluded.stripe_customer_id, payment_method_id = null,
       brand = null, last4 = null, exp_month = null, exp_year = null where c.stripe_customer_id = $3`,
    [developerId, customerId, insteadOf],
  );
  return (await customerRow(sql, developerId))?.stripe_customer_id ?? customerId;
}

/** Whether an account is here, and not deleted. */
export async function livingAccount(sql: Sql, developerId: string): Promise<boolean> {
  const rows = await sql.query('select 1 from users where id::text = $1 and deleted_at is null', [developerId]);
  return rows.length > 0;
}

/** Customers whose account is gone, and of whom nothing is to be collected any more. */
export function departedCustomers(
  sql: Sql,
  after: string | null,
  limit: number,
): Promise<{ developer_id: string; stripe_customer_id: string }[]> {
  return sql.query(
    `/* across tenants: a job of the platform */ select c.developer_id, c.stripe_customer_id
     from billing_customers c join users u on u.id = c.developer_id
     where u.deleted_at is not null and ($1::uuid is null or c.developer_id > $1) and not exists (
       select 1 from billing_statements s
       where s.developer_id = c.developer_id and s.state in ('rated', 'invoiced', 'open', 'failed'))
     order by c.developer_id limit $2`,
    [after, limit],
  );
}

export async function forgetCustomer(sql: Sql, developerId: string): Promise<void> {
  await sql.query('delete from setup_intents where developer_id = $1', [developerId]);
  await sql.query('delete from billing_customers where developer_id = $1', [developerId]);
}

export async function developerOfCustomer(sql: Sql, customerId: string): Promise<string | null> {
  const [row] = await sql.query<{ developer_id: string }>(
    '/* across tenants: an event names the customer alone */ select developer_id from billing_customers where stripe_customer_id = $1',
    [customerId],
  );
  return row?.developer_id ?? null;
}

export async function developerOfCard(sql: Sql, cardId: string): Promise<string | null> {
  const [row] = await sql.query<{ developer_id: string }>(
    '/* across tenants: an event names the card alone */ select developer_id from billing_customers where payment_method_id = $1',
    [cardId],
  );
  return row?.developer_id ?? null;
}

/** Nobody else changes the developer's card until the lease ends. @returns false when somebody does already. */
export async function takeLease(sql: Sql, developerId: string, now: Date, until: Date): Promise<boolean> {
  const rows = await sql.query(
    `update billing_customers set busy_until = $3 where developer_id = $1 and (busy_until is null or busy_until <= $2)
     returning developer_id`,
    [developerId, now, until],
  );
  return rows.length > 0;
}

/** Ends the lease that was taken until then, and nobody else's. */
export async function endLease(sql: Sql, developerId: string, until: Date): Promise<void> {
  await sql.query('update billing_customers set busy_until = null where developer_id = $1 and busy_until = $2', [
    developerId,
    until,
  ]);
}

/** No card: the developer has removed the one that is there. */
export async function removeCard(sql: Sql, developerId: string, now: Date): Promise<void> {
  await sql.query(
    'update billing_customers set removed_payment_method_id = payment_method_id where developer_id = $1',
    [developerId],
  );
  await saveCard(sql, developerId, null, now);
}

/** What Stripe had when it was asked, unless the developer has removed it since: Stripe hears of that last. */
export async function cardToKeep(sql: Sql, developerId: string, found: Card | null): Promise<Card | null> {
  const [row] = await sql.query<{ removed: string | null }>(
    'select removed_payment_method_id as removed from billing_customers where developer_id = $1 for update',
    [developerId],
  );
  return found !== null && found.id === row?.removed ? null : found;
}

/** @returns whether it is another card than before. */
export async function saveCard(sql: Sql, developerId: string, card: Card | null, now: Date): Promise<boolean> {
  const before = await customerRow(sql, developerId, 'for update');
  await sql.query(
    `update billing_customers set payment_method_id = $2, brand = $3, last4 = $4, exp_month = $5, exp_year = $6, synced_at = $7
     where developer_id = $1`,
    [
      developerId,
      card?.id ?? null,
      card?.brand ?? null,
      card?.last4 ?? null,
      card?.expMonth ?? null,
      card?.expYear ?? null,
      now,
    ],
  );
  return before?.payment_method_id !== (card?.id ?? null);
}

/** The cards that a developer has begun to enter, newest first. */
export async function openSetups(sql: Sql, developerId: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from setup_intents where developer_id = $1 and status = 'open' order by created_at desc, id limit $2`,
    [developerId, limit],
  );
  return rows.map(({ id }) => id);
}

export async function noteSetup(sql: Sql, developerId: string, id: string, now: Date): Promise<void> {
  await sql.query(
    'insert into setup_intents (developer_id, id, created_at) values ($1, $2, $3) on conflict do nothing',
    [developerId, id, now],
  );
}

export async function endSetup(
  sql: Sql,
  developerId: string,
  id: string,
  status: 'succeeded' | 'canceled',
): Promise<void> {
  await sql.query('update setup_intents set status = $3 where developer_id = $1 and id = $2', [
    developerId,
    id,
    status,
  ]);
}
