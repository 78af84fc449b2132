import { sql } from 'kysely';
import { developersOf } from '#features/partnerships';
import { SEEN_BY_RESELLERS } from '#features/products';
import type { Principal } from '#platform/access/access.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ofTenants } from '#platform/db/tenant.ts';
import type { ShopsHandle } from '../tables.ts';

/** A product as a screen calls it; null: it was deleted, or is no longer this account's to sell. */
export interface NamedProduct {
  id: string;
  name: string | null;
}

/** The names of products: the account's own, and those that it sells for others. */
export async function findProductNames(
  handle: ShopsHandle,
  accountId: string,
  ids: readonly string[],
): Promise<NamedProduct[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const owners = [accountId, ...(await developersOf(handle, accountId))];
  const { rows } = await sql<Columns<'products', 'id' | 'name'>>`
    select p.id, p.name from products p
    where ${ofTenants('p', owners)} and p.id = any(${wanted}::uuid[]) and p.deleted_at is null`.execute(handle);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return wanted.map((id) => ({ id, name: names.get(id) ?? null }));
}

/**
 * Finds which of these products an account can sell: its own, or for a reseller those of the developers that they work
 * with.
 */
export async function findSellableIds(
  handle: ShopsHandle,
  { accountId, role }: Pick<Principal, 'accountId' | 'role'>,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  if (role === 'developer') {
    const own = await handle
      .selectFrom('products')
      .select('id')
      .where('developer_id', '=', accountId)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute();
    return new Set(own.map(({ id }) => id));
  }
  const developers = await developersOf(handle, accountId);
  if (developers.length === 0) return new Set();
  const { rows } = await sql<Columns<'products', 'id'>>`
    select p.id from partnerships t join products p on p.developer_id = t.developer_id
    where t.reseller_id = ${accountId} and ${ofTenants('t', developers)} and ${ofTenants('p', developers)}
      and t.status in ('active', 'paused') and p.id = any(${ids}::uuid[]) and ${SEEN_BY_RESELLERS}`.execute(handle);
  return new Set(rows.map(({ id }) => id));
}
