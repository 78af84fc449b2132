import { sql } from 'kysely';
import { hasRedeemed } from '#features/customers';
import { joinOwn } from '#platform/db/tenant.ts';
import type { RedemptionHandle } from '../tables.ts';

/** A customer, as a link names one. */
interface Person {
  dev: string;
  customer: string;
}

/** The customer with this address who owns a serial; never one who was erased. */
export function findOwner(handle: RedemptionHandle, developerId: string, emailKey: string) {
  const owned = handle
    .selectFrom('serials as s')
    .select('s.id')
    .where('s.developer_id', '=', developerId)
    .where('s.customer_id', '=', sql.ref<string>('c.id'))
    .where('s.redeemed_at', 'is not', null);
  return handle
    .selectFrom('customers as c')
    .select(['c.id', 'c.email', 'c.language', hasRedeemed('c').as('came')])
    .where('c.developer_id', '=', developerId)
    .where('c.email_key', '=', emailKey)
    .where('c.erased_at', 'is', null)
    .where((eb) => eb.exists(owned))
    .executeTakeFirst();
}

/** Customers with the serials that they own. */
const selectOwned = (handle: RedemptionHandle, { dev, customer }: Person) =>
  handle
    .selectFrom('customers as c')
    .$call(joinOwn('serials as s', 's.customer_id', 'c.id'))
    .where('c.developer_id', '=', dev)
    .where('c.id', '=', customer)
    .where('c.erased_at', 'is', null);

/** The serials that a customer owns, newest first. */
export function findOwned(handle: RedemptionHandle, person: Person, most: number) {
  return selectOwned(handle, person)
    .select(['s.id', 's.code', 'c.email'])
    .where('s.redeemed_at', 'is not', null)
    .orderBy('s.redeemed_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(most)
    .execute();
}

/** Machines that hold a seat. */
export function findMachines(handle: RedemptionHandle, developerId: string, serialIds: readonly string[]) {
  return handle
    .selectFrom('activations as a')
    .$call(joinOwn('serials as s', 's.id', 'a.serial_id'))
    .select(['a.id', 's.code', 'a.machine_id', 'a.version', 'a.last_seen_at'])
    .where('a.developer_id', '=', developerId)
    .where('a.serial_id', '=', sql<string>`any(${serialIds}::uuid[])`)
    .where('a.released_at', 'is', null)
    .orderBy('a.last_seen_at', 'desc')
    .orderBy('a.id')
    .execute();
}

/** One serial of a customer, while it may be used. */
export function findOwnedSerial(handle: RedemptionHandle, person: Person, codeKey: string) {
  return selectOwned(handle, person)
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .select(['s.developer_id as developerId', 's.id as serialId', 'b.product_id as productId', 'c.email'])
    .where('s.code_key', '=', codeKey)
    .where('s.revoked_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst();
}
