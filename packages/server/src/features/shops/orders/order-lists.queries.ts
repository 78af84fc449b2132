import { type Expression, type SqlBool, sql } from 'kysely';
import { BY_INDEX } from '#platform/db/statements/by-index.ts';
import { type KindCount, LOOKED_AT, mostFrequentOf } from '#platform/db/statements/choices.ts';
import { COUNT_LIMIT } from '#platform/db/statements/count-limit.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import type { OrderKind } from './orders.schemas.ts';
import type { UnitState } from './states.ts';

const MOST_DELIVERIES = 100;

/** How many units of order `o` are in one of these states. */
const count = (accountId: string, ...states: UnitState[]) =>
  sql<number>`(select count(*) from shop_units u
    where u.developer_id = ${accountId} and u.order_id = o.id and u.state in (${sql.join(states.map((state) => sql.lit(state)))}))`;

const selectOrders = (handle: ShopsHandle, accountId: string) =>
  handle
    .selectFrom('shop_orders as o')
    .$call(joinOwn('shop_connections as c', 'c.id', 'o.connection_id'))
    .select(['o.id', 'o.connection_id as shop_id', 'c.name as shop_name', 'c.kind', 'o.external_id', 'o.number'])
    .select(['o.state', 'o.reasons', 'o.is_test', 'o.email', 'o.first_name', 'o.last_name', 'o.country', 'o.currency'])
    .select([
      'o.net_minor',
      'o.usd_cents',
      'o.paid_at',
      'o.received_at',
      'o.issued_at',
      'o.version_at',
      'o.note',
      'o.pickup_code',
      'o.duplicate_of',
      'o.found_at',
    ])
    .select([
      count(accountId, 'issued', 'delivered', 'suspended', 'kept').as('serials'),
      count(accountId, 'wanted', 'waiting').as('missing'),
    ])
    .where('o.developer_id', '=', accountId);

export type ListedOrder = Awaited<ReturnType<typeof listOrders>>[number];

/** A filter for the orders of an account. */
export interface OrderFilter {
  accountId: string;
  search: string | undefined;
  shopId: string | undefined;
  serialId: string | undefined;
  /** Conditions on order `o`, by what was chosen. */
  chosen: readonly Expression<SqlBool>[];
}

/** Whether order `o` fits the filter. */
export const fitting = ({ accountId, search, shopId, serialId, chosen }: OrderFilter): Expression<SqlBool> =>
  sql<boolean>`${sql.join(
    [
      sql`o.developer_id = ${accountId}`,
      inList('o.received_at'),
      ...(shopId === undefined ? [] : [sql`o.connection_id = ${shopId}`]),
      ...(serialId === undefined
        ? []
        : [
            sql`o.id in (select u.order_id from shop_units u where u.developer_id = ${accountId} and u.serial_id = ${serialId})`,
          ]),
      ...(search === undefined
        ? []
        : [
            search.includes('@')
              ? sql`o.email_key = ${emailKey(search)}`
              : sql`o.number = any(${[search, `#${search}`, search.replace(/^#/, '')]}::text[])`,
          ]),
      ...chosen,
    ],
    sql` and `,
  )}`;

/** Newest first. `after` is the id that the page before ended with. */
export function listOrders(
  handle: ShopsHandle,
  filter: OrderFilter,
  { after, limit }: { after: string | null; limit: number },
) {
  return selectOrders(handle, filter.accountId)
    .where(fitting(filter))
    .$if(after !== null, (all) => all.where('o.id', '<', after as string))
    .orderBy('o.id', 'desc')
    .limit(limit)
    .execute();
}

/** How many fit, up to one more than are counted. */
export async function countOrders(db: ShopsDb, filter: OrderFilter): Promise<number> {
  const few = sql<{ n: number }>`
    select count(*)::int as n from (
      select 1 from shop_orders o where ${fitting(filter)} limit ${sql.lit(COUNT_LIMIT + 1)}) few`;
  const { rows } = await db.work({ tx: true, settings: BY_INDEX }, (tx) => few.execute(tx));
  return rows[0]?.n ?? 0;
}

/** The choices of filters, with how many of the newest orders each choice leaves. */
export async function orderChoiceCounts(
  handle: ShopsHandle,
  kinds: readonly OrderKind[],
  filter: OrderFilter,
): Promise<KindCount<OrderKind>[]> {
  const labels = {
    state: sql<string | null>`null::text`,
    shop: sql<string | null>`(select c.name from shop_connections c
      where c.developer_id = ${filter.accountId} and c.id = v.value::uuid)`,
  };
  const each = kinds.map((kind) => {
    const grouped = sql`select ${sql.ref(kind)}::text as value, count(*)::int as count,
      (select count(*) from found) < ${sql.lit(LOOKED_AT)} as exact from found group by 1`;
    return mostFrequentOf(kind, grouped, labels[kind]);
  });
  const { rows } = await sql<KindCount<OrderKind>>`
    with found as materialized (
      select o.state, o.connection_id as shop from shop_orders o
      where ${fitting(filter)} order by o.id desc limit ${sql.lit(LOOKED_AT)})
    ${sql.join(each, sql` union all `)}`.execute(handle);
  return rows;
}

export const findOrder = (handle: ShopsHandle, accountId: string, id: string) =>
  selectOrders(handle, accountId).where('o.id', '=', id).executeTakeFirst();

/** The order of another shop that an order is the same sale as. */
export async function findTwin(handle: ShopsHandle, accountId: string, id: string) {
  const twin = await findOrder(handle, accountId, id);
  return twin ? { id: twin.id, number: twin.number, shop_name: twin.shop_name } : null;
}

/** Deliveries about an order, newest first. */
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
