import { type Insertable, sql } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import { joinOwn, leftJoinOwn } from '#platform/db/tenant.ts';
import type { ShopsHandle } from '../tables.ts';

/** The newest order that a customer can mean by a number, if it has their address. */
export const findByNumber = (
  handle: ShopsHandle,
  developerId: string,
  { order, key }: { order: string; key: string },
) =>
  handle
    .selectFrom('shop_orders')
    .select(['id', 'email', 'language'])
    .where('developer_id', '=', developerId)
    .where('email_key', '=', key)
    .where('version_at', 'is not', null)
    .where((is) => {
      const numbers = sql<string>`any(${[order, `#${order}`, order.replace(/^#/, '')]}::text[])`;
      return is.or([
        is('number', '=', numbers),
        is('external_id', '=', order),
        sql<boolean>`${order} = any(known_as) and ${order} !~ '^(pay|is|of):'`,
      ]);
    })
    .orderBy('id', 'desc')
    .executeTakeFirst();

/** The order of a code from a receipt, while nobody has entered another address for it. */
export const findByPickupCode = (
  handle: ShopsHandle,
  developerId: string,
  { code, key }: { code: string; key: string },
) =>
  handle
    .selectFrom('shop_orders')
    .select(['id', 'connection_id', 'external_id'])
    .where('developer_id', '=', developerId)
    .where('pickup_code', '=', code)
    .where((is) => is.or([is('email', 'is', null), is('email_key', '=', key)]))
    .where('erased_at', 'is', null)
    .executeTakeFirst();

/** The order that a link opens, while it has the address that the link was emailed to. */
export const findLinked = (handle: ShopsHandle, developerId: string, hash: Buffer, now: Date) =>
  handle
    .selectFrom('shop_order_links as l')
    .$call(joinOwn('shop_orders as o', 'o.id', 'l.order_id'))
    .select(['o.id', 'o.developer_id', 'o.number', 'o.state'])
    .where('l.developer_id', '=', developerId)
    .where('l.token_hash', '=', hash)
    .where('l.expires_at', '>', now)
    .whereRef('o.email_key', '=', 'l.email_key')
    .executeTakeFirst();

/** The units that an order gives its customer: codes that work, and units that are still to come. */
export const findGiven = (handle: ShopsHandle, developerId: string, orderId: string) =>
  handle
    .selectFrom('shop_units as u')
    .$call(joinOwn('shop_lines as l', 'l.id', 'u.line_id'))
    .$call(leftJoinOwn('products as p', 'p.id', 'u.product_id'))
    .select(['u.code', 'u.state', 'p.name', 'l.name as sold'])
    .where('u.developer_id', '=', developerId)
    .where('u.order_id', '=', orderId)
    .where('u.state', 'in', ['wanted', 'waiting', 'issued', 'delivered', 'kept'])
    .orderBy('l.position')
    .orderBy('u.line_id')
    .orderBy('u.n')
    .execute();

export async function isLive(handle: ShopsHandle, developerId: string): Promise<boolean> {
  const account = await handle
    .selectFrom('users')
    .select('id')
    .where('id', '=', developerId)
    .where('role', '=', 'developer')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return account !== undefined;
}

export async function isUnmapped(handle: ShopsHandle, developerId: string, orderId: string): Promise<boolean> {
  const line = await handle
    .selectFrom('shop_lines')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('order_id', '=', orderId)
    .where('product_ids', 'is', null)
    .where('quantity', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return line !== undefined;
}

/** @returns how many are gone. */
export async function expireLinks(handle: ShopsHandle, now: Date): Promise<number> {
  const { numDeletedRows } = await handle
    .deleteFrom('shop_order_links')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export const addLink = (tx: ShopsHandle, link: Insertable<Tables['shop_order_links']>) =>
  tx.insertInto('shop_order_links').values(link).execute();

/** Gives an address to an order that came without one. */
export const giveAddress = (
  tx: ShopsHandle,
  developerId: string,
  orderId: string,
  address: { email: string; email_key: string; settled: string[] },
) =>
  tx
    .updateTable('shop_orders')
    .set(address)
    .where('developer_id', '=', developerId)
    .where('id', '=', orderId)
    .execute();
