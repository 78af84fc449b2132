import { sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { ShopsHandle } from '../tables.ts';
import type { OrdersQuery } from './orders.schemas.ts';

const MOST_DELIVERIES = 100;

const count = (accountId: string, states: string) =>
  sql<number>`(select count(*) from shop_units u
    where u.developer_id = ${accountId} and u.order_id = o.id and u.state in (${sql.raw(states)}))`;

const selectOrders = (handle: ShopsHandle, accountId: string) =>
  handle
    .selectFrom('shop_orders as o')
    .$call(joinOwn('shop_connections as c', 'c.id', 'o.connection_id'))
    .select(['o.id', 'o.connection_id as shop_id', 'c.name as shop_name', 'c.kind', 'o.external_id', 'o.number'])
    .select(['o.state', 'o.reasons', 'o.is_test', 'o.email', 'o.first_name', 'o.last_name', 'o.country', 'o.currency'])
    .select(['o.net_minor', 'o.usd_cents', 'o.paid_at', 'o.received_at', 'o.issued_at', 'o.version_at', 'o.note'])
    .select([
      count(accountId, "'issued', 'delivered', 'suspended', 'kept'").as('serials'),
      count(accountId, "'wanted', 'waiting'").as('missing'),
    ])
    .where('o.developer_id', '=', accountId);

export type ListedOrder = Awaited<ReturnType<typeof listOrders>>[number];

/** Newest first. `after` is the id that the page before ended with. */
export function listOrders(
  handle: ShopsHandle,
  accountId: string,
  { state, search, shop_id }: Pick<OrdersQuery, 'state' | 'search' | 'shop_id'>,
  { after, limit }: { after: string | null; limit: number },
) {
  return selectOrders(handle, accountId)
    .where(inList('o.received_at'))
    .$if(state !== undefined, (all) => all.where('o.state', '=', state as NonNullable<typeof state>))
    .$if(shop_id !== undefined, (all) => all.where('o.connection_id', '=', shop_id as string))
    .$if(!!search, (all) =>
      search?.includes('@')
        ? all.where('o.email_key', '=', emailKey(search))
        : all.where('o.number', 'in', [search as string, `#${search}`]),
    )
    .$if(after !== null, (all) => all.where('o.id', '<', after as string))
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute();
}

export const findOrder = (handle: ShopsHandle, accountId: string, id: string) =>
  selectOrders(handle, accountId).where('o.id', '=', id).executeTakeFirst();

/** What came about an order, newest first. */
export const findDeliveries = (
  handle: ShopsHandle,
  accountId: string,
  { shop_id, external_id }: { shop_id: string; external_id: string },
) =>
  handle
    .selectFrom('shop_deliveries')
    .select(['id', 'event', 'state', 'why', 'received_at'])
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', shop_id)
    .where('order_key', '=', external_id)
    .orderBy('id', 'desc')
    .limit(MOST_DELIVERIES)
    .execute();
