import { type InferResult, type NotNull, sql } from 'kysely';
import { openEmailOf } from '#features/accounts';
import { inList } from '#platform/db/statements/list-index.ts';
import { acrossTenants, joinShared } from '#platform/db/tenant.ts';
import { isId } from '#platform/ids.ts';
import type { Card } from '#platform/payments/payments.ts';
import { isUnfinished } from '../statements/unfinished.ts';
import type { BillingDb, BillingHandle } from '../tables.ts';

const selectCustomer = (handle: BillingHandle, developerId: string) =>
  handle
    .selectFrom('billing_customers')
    .select(['stripe_customer_id', 'payment_method_id', 'brand', 'last4', 'exp_month', 'exp_year'])
    .where('developer_id', '=', developerId);

type CustomerRow = InferResult<ReturnType<typeof selectCustomer>>[number];

export function customerRow(handle: BillingHandle, developerId: string): Promise<CustomerRow | undefined> {
  return selectCustomer(handle, developerId).executeTakeFirst();
}

/** The same, whose card nobody else changes until the transaction ends. */
export function lockCustomer(tx: BillingHandle, developerId: string): Promise<CustomerRow | undefined> {
  return selectCustomer(tx, developerId).forUpdate().executeTakeFirst();
}

/** The same for several at once, as long as none of them changes it. */
export function holdCustomer(tx: BillingHandle, developerId: string): Promise<CustomerRow | undefined> {
  return selectCustomer(tx, developerId).forShare().executeTakeFirst();
}

/**
 * What a developer owes on their balance at Stripe, in cents, according to our invoices: amounts that were too small to
 * charge, less what later invoices have collected of them.
 */
export async function owedOnBalance(db: BillingDb, developerId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('billing_statements')
    .select(
      sql<number>`greatest(0, coalesce(sum(case when paid_by = 'next_invoice' then total_cents + balance_cents else 0 end
        - greatest(0, balance_cents)), 0))::bigint`.as('cents'),
    )
    .where('developer_id', '=', developerId)
    .where(inList('closed_at'))
    .where('state', '=', 'paid')
    .where('paid_by', 'is not', null)
    .executeTakeFirstOrThrow();
  return cents;
}

/** Notes the customer of a developer, unless another one was noted meanwhile. @returns the one that counts. */
export async function noteCustomer(
  handle: BillingHandle,
  developerId: string,
  customerId: string,
  insteadOf: string | null,
): Promise<string> {
  await handle
    .insertInto('billing_customers')
    .values({ developer_id: developerId, stripe_customer_id: customerId })
    .onConflict((on) =>
      on
        .column('developer_id')
        .doUpdateSet((eb) => ({
          stripe_customer_id: eb.ref('excluded.stripe_customer_id'),
          payment_method_id: null,
          brand: null,
          last4: null,
          exp_month: null,
          exp_year: null,
        }))
        // nothing is instead of none
        .where(sql<boolean>`billing_customers.stripe_customer_id = ${insteadOf}`),
    )
    .execute();
  return (await customerRow(handle, developerId))?.stripe_customer_id ?? customerId;
}

/** Whether an account is here, and not deleted. @param id as Stripe has it */
export const livingAccount = async (db: BillingDb, id: string): Promise<boolean> =>
  isId(id) && (await openEmailOf(db, id)) !== undefined;

/** Customers whose account is deleted, and who have no unfinished statement. */
export function departedCustomers(
  db: BillingDb,
  after: string | null,
  limit: number,
): Promise<{ developer_id: string; stripe_customer_id: string }[]> {
  return db
    .selectFrom('billing_customers as c')
    .$call(joinShared('users as u', 'u.id', 'c.developer_id'))
    .select(['c.developer_id', 'c.stripe_customer_id'])
    .where('u.deleted_at', 'is not', null)
    .$if(after !== null, (query) => query.where('c.developer_id', '>', after as string))
    .where(
      sql<boolean>`not exists (
        select 1 from billing_statements s where s.developer_id = c.developer_id and ${isUnfinished('s.state')})`,
    )
    .orderBy('c.developer_id')
    .limit(limit)
    .modifyEnd(acrossTenants('a job of the platform'))
    .execute();
}

export async function forgetCustomer(tx: BillingHandle, developerId: string): Promise<void> {
  await tx.deleteFrom('setup_intents').where('developer_id', '=', developerId).execute();
  await tx.deleteFrom('billing_customers').where('developer_id', '=', developerId).execute();
}

export async function developerOfCustomer(db: BillingDb, customerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customers')
    .select('developer_id')
    .where('stripe_customer_id', '=', customerId)
    .modifyEnd(acrossTenants('an event names the customer alone'))
    .executeTakeFirst();
  return row?.developer_id ?? null;
}

export async function developerOfCard(db: BillingDb, cardId: string): Promise<string | null> {
  const row = await db
    .selectFrom('billing_customers')
    .select('developer_id')
    .where('payment_method_id', '=', cardId)
    .modifyEnd(acrossTenants('an event names the card alone'))
    .executeTakeFirst();
  return row?.developer_id ?? null;
}

/** A card that is charged, that ends before a month, and of which the developer was not emailed. */
const ENDING = sql`payment_method_id is not null and expiry_warned_for is distinct from payment_method_id`;
const endsBefore = ({ year, month }: { year: number; month: number }) =>
  sql<boolean>`${ENDING} and (exp_year, exp_month) < (${year}::int, ${month}::int)`;

/** Developers whose card ends before a month, and who were not told, the earliest first. */
export async function developersToWarn(
  db: BillingDb,
  before: { year: number; month: number },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('billing_customers')
    .select('developer_id')
    .where(endsBefore(before))
    .orderBy('exp_year')
    .orderBy('exp_month')
    .limit(limit)
    .modifyEnd(acrossTenants('a job of the platform'))
    .execute();
  return rows.map(({ developer_id }) => developer_id);
}

/** Notes that a developer is told of the card. @returns the card; undefined: somebody has told them, or it is another one now. */
export function noteWarned(tx: BillingHandle, developerId: string, before: { year: number; month: number }) {
  return tx
    .updateTable('billing_customers')
    .set((eb) => ({ expiry_warned_for: eb.ref('payment_method_id') }))
    .where('developer_id', '=', developerId)
    .where(endsBefore(before))
    .returning(['brand', 'last4', 'exp_month', 'exp_year'])
    .$narrowType<{ brand: NotNull; last4: NotNull; exp_month: NotNull; exp_year: NotNull }>()
    .executeTakeFirst();
}

/** Nobody else changes the developer's card until the lease ends. @returns false when somebody does already. */
export async function takeLease(db: BillingDb, developerId: string, now: Date, until: Date): Promise<boolean> {
  const { numUpdatedRows: taken } = await db
    .updateTable('billing_customers')
    .set({ busy_until: until })
    .where('developer_id', '=', developerId)
    .where((eb) => eb.or([eb('busy_until', 'is', null), eb('busy_until', '<=', now)]))
    .executeTakeFirst();
  return taken > 0n;
}

/** Ends the lease that was taken until then, and nobody else's. */
export async function endLease(db: BillingDb, developerId: string, until: Date): Promise<void> {
  await db
    .updateTable('billing_customers')
    .set({ busy_until: null })
    .where('developer_id', '=', developerId)
    .where('busy_until', '=', until)
    .execute();
}

/** No card: the developer has removed the one that is there. */
export async function removeCard(tx: BillingHandle, developerId: string, now: Date): Promise<void> {
  await tx
    .updateTable('billing_customers')
    .set((eb) => ({ removed_payment_method_id: eb.ref('payment_method_id') }))
    .where('developer_id', '=', developerId)
    .execute();
  await saveCard(tx, developerId, null, now);
}

/** The card that Stripe had when asked, unless the developer has removed it since: a removal reaches Stripe last. */
export async function cardToKeep(tx: BillingHandle, developerId: string, found: Card | null): Promise<Card | null> {
  const row = await tx
    .selectFrom('billing_customers')
    .select('removed_payment_method_id as removed')
    .where('developer_id', '=', developerId)
    .forUpdate()
    .executeTakeFirst();
  return found !== null && found.id === row?.removed ? null : found;
}

/** @returns whether it is another card than before. */
export async function saveCard(tx: BillingHandle, developerId: string, card: Card | null, now: Date): Promise<boolean> {
  const before = await lockCustomer(tx, developerId);
  await tx
    .updateTable('billing_customers')
    .set({
      payment_method_id: card?.id ?? null,
      brand: card?.brand ?? null,
      last4: card?.last4 ?? null,
      exp_month: card?.expMonth ?? null,
      exp_year: card?.expYear ?? null,
      synced_at: now,
    })
    .where('developer_id', '=', developerId)
    .execute();
  return before?.payment_method_id !== (card?.id ?? null);
}

/** The cards that a developer has begun to enter, newest first. */
export async function openSetups(db: BillingDb, developerId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('setup_intents')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('status', '=', sql.lit('open'))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function noteSetup(db: BillingDb, developerId: string, id: string, now: Date): Promise<void> {
  await db
    .insertInto('setup_intents')
    .values({ developer_id: developerId, id, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
}

export async function endSetup(
  handle: BillingHandle,
  developerId: string,
  id: string,
  status: 'succeeded' | 'canceled',
): Promise<void> {
  await handle
    .updateTable('setup_intents')
    .set({ status })
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .execute();
}
