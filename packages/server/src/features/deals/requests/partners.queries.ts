import { sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { SEEN_BY_RESELLERS } from '#features/products';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { DealsHandle } from '../tables.ts';

// Queries for both sides of a deal: whether they work together, and which reseller it is.

const partnership = (handle: DealsHandle, developerId: string, id: string) =>
  handle.selectFrom('partnerships').where('developer_id', '=', developerId).where('id', '=', id);

/** Whether a partnership is active. It stays as it is until the transaction ends. */
export async function holdActive(tx: DealsHandle, developerId: string, id: string): Promise<boolean> {
  const found = await partnership(tx, developerId, id)
    .select('id')
    .where('status', '=', 'active')
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}

/** The same of a reseller’s partnership, which nobody else who asks this holds meanwhile. */
export async function lockActive(
  tx: DealsHandle,
  developerId: string,
  { id, resellerId }: { id: string; resellerId: string },
): Promise<boolean> {
  const found = await partnership(tx, developerId, id)
    .select('id')
    .where('reseller_id', '=', resellerId)
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found !== undefined;
}

/** The account behind a partnership. */
export async function resellerOf(handle: DealsHandle, developerId: string, id: string): Promise<string | null> {
  const found = await partnership(handle, developerId, id).select('reseller_id').executeTakeFirst();
  return found?.reseller_id ?? null;
}

/** The same, unless it has ended. */
export async function presentResellerOf(handle: DealsHandle, developerId: string, id: string): Promise<string | null> {
  const found = await partnership(handle, developerId, id)
    .select('reseller_id')
    .where('status', '<>', 'ended')
    .executeTakeFirst();
  return found?.reseller_id ?? null;
}

interface Deal extends Columns<'batches', 'quantity' | 'promo_start' | 'promo_expires' | 'expires_at'> {
  reseller_id: string;
  product_name: string;
  developer_name: string;
  developer_time_zone: string;
  price_cents: number;
}

/** The deal that a batch is, while its reseller can see it. */
export async function findDeal(handle: DealsHandle, developerId: string, batchId: string): Promise<Deal | undefined> {
  const { rows } = await sql<Deal>`
    select t.reseller_id, p.name as product_name, ${nameOf('u')} as developer_name, u.time_zone as developer_time_zone,
      b.promo_price_cents as price_cents, b.quantity, b.promo_start, b.promo_expires, b.expires_at
    from batches b ${ownJoin('partnerships as t', 't.id', 'b.partnership_id')} and t.status = 'active'
      ${ownJoin('products as p', 'p.id', 'b.product_id')} and ${SEEN_BY_RESELLERS}
      join users u on u.id = b.developer_id
    where b.developer_id = ${developerId} and b.id = ${batchId} and b.promo_price_cents is not null`.execute(handle);
  return rows[0];
}
