import { sql } from 'kysely';
import { HOUR } from '#platform/clock.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import type { OnDuplicate } from '../connections/connections.schemas.ts';
import type { ShopsHandle } from '../tables.ts';
import type { LineRow, OrderRow } from './order-rows.queries.ts';

// WooCommerce and Stripe connected to one sale bring it twice. Which of the two is found second depends on which came first, so neither is
// trusted more: the second is flagged.

/** How far apart the shops' own times of one payment are. */
const APART = HOUR;
/** One of the two may have a sales tax in it that the other has not. */
const MOST_TAX = 1.27;
const MOST_LOOKED_AT = 20;

/** An order that is the same sale, and the action that the shops' owner wants. */
export interface Duplicate {
  id: string;
  wanted: Exclude<OnDuplicate, 'ignore'>;
}

type Asking = Pick<
  OrderRow,
  | 'id'
  | 'developer_id'
  | 'connection_id'
  | 'is_test'
  | 'paid_at'
  | 'email_key'
  | 'currency'
  | 'net_minor'
  | 'known_as'
  | 'duplicate_of'
>;

/**
 * The order of another shop of the account that an order is the same sale as: its payment names it, or one customer has paid the same for the same
 * within an hour. Of two that are worked on at once, the second waits for the first.
 */
export async function findDuplicate(
  tx: ShopsHandle,
  onDuplicate: OnDuplicate,
  order: Asking,
  lines: readonly LineRow[],
): Promise<Duplicate | null> {
  const { developer_id: accountId, paid_at: paidAt } = order;
  if (onDuplicate === 'ignore' || order.is_test || paidAt === null) return null;
  if (!(await hasOtherShops(tx, order))) return null;
  const names = order.known_as.map(otherSide);
  await holdKeys(tx, accountId, [order]);
  const found = await tx
    .selectFrom('shop_orders as o')
    .$call(joinOwn('shop_connections as c', 'c.id', 'o.connection_id'))
    .select(['o.id', 'o.net_minor', 'o.currency', 'o.paid_at', 'o.email_key', 'c.on_duplicate'])
    .select(sql<boolean>`o.known_as && ${names}::text[]`.as('named'))
    .where('o.developer_id', '=', accountId)
    .where('o.connection_id', '<>', order.connection_id)
    .where('o.is_test', 'is', false)
    .where('o.paid_at', 'is not', null)
    .where('o.state', 'not in', ['refunded', 'canceled'])
    // not an order that was already found to be a duplicate of this one
    .where(sql<boolean>`o.duplicate_of is distinct from ${order.id}`)
    .where((is) =>
      is.or([
        ...(names.length > 0 ? [sql<boolean>`(o.known_as <> '{}' and o.known_as && ${names}::text[])`] : []),
        ...(order.email_key === null
          ? []
          : [
              is.and([
                is('o.email_key', '=', order.email_key),
                is('o.paid_at', '>=', new Date(paidAt.getTime() - APART)),
                is('o.paid_at', '<=', new Date(paidAt.getTime() + APART)),
              ]),
            ]),
      ]),
    )
    .orderBy('o.id')
    .limit(MOST_LOOKED_AT)
    .execute();
  for (const each of found) {
    const isSame = each.named || (isSamePrice(each, order) && sameThings(lines, await linesOf(tx, accountId, each.id)));
    if (isSame && each.on_duplicate !== 'ignore')
      return { id: each.id, wanted: onDuplicate === 'hold' || each.on_duplicate === 'hold' ? 'hold' : 'warn' };
  }
  return null;
}

/**
 * Orders of one shop, new and of a moment ago, that may be the same sale as one of another shop of the account: what that is exactly is found by
 * {@link findDuplicate}. Until the transaction ends, none of the others comes to be one.
 */
export async function findTwinned(tx: ShopsHandle, all: readonly Asking[]): Promise<Set<string>> {
  const orders = all.filter(({ is_test, paid_at }) => !is_test && paid_at !== null);
  const [first] = orders;
  if (!first) return new Set();
  const { developer_id: accountId, connection_id: shopId } = first;
  await holdKeys(tx, accountId, orders);
  const emailed = orders.filter(({ email_key }) => email_key !== null);
  const { rows } = await sql<{ id: string }>`
    select t.id from unnest(${emailed.map(({ id }) => id)}::uuid[], ${emailed.map(({ email_key }) => email_key)}::text[],
      ${emailed.map(({ paid_at }) => paid_at)}::timestamptz[]) as t (id, email_key, paid_at)
    where exists (select 1 from shop_orders o
      where o.developer_id = ${accountId} and o.connection_id <> ${shopId} and o.email_key = t.email_key
        and o.paid_at >= t.paid_at - ${APART} * interval '1 millisecond' and o.paid_at <= t.paid_at + ${APART} * interval '1 millisecond')`.execute(
    tx,
  );
  const twinned = new Set(rows.map(({ id }) => id));
  const names = orders.flatMap(({ known_as }) => known_as.map(otherSide));
  if (names.length === 0) return twinned;
  const named = await tx
    .selectFrom('shop_orders')
    .select('known_as')
    .where('developer_id', '=', accountId)
    .where('connection_id', '<>', shopId)
    .where(sql<boolean>`(known_as <> '{}' and known_as && ${names}::text[])`)
    .execute();
  const known = new Set(named.flatMap(({ known_as }) => known_as));
  for (const { id, known_as } of orders) if (known_as.some((name) => known.has(otherSide(name)))) twinned.add(id);
  return twinned;
}

/** The second of two that are worked on at once waits for the first: in one order, so that two never wait for each other. */
async function holdKeys(tx: ShopsHandle, accountId: string, orders: readonly Asking[]): Promise<void> {
  const keys = orders.flatMap(({ email_key, known_as }) =>
    [email_key, ...known_as].flatMap((key) => (key === null ? [] : [key.replace(/^(is|of):/, '')])),
  );
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId} || ' ' || key, 3))
    from unnest(${[...new Set(keys)].sort()}::text[]) as key`.execute(tx);
}

/** As the other side of the same sale is known: a payment by its id, and who is of an order by that order. */
const otherSide = (name: string): string =>
  name.startsWith('is:') ? `of:${name.slice(3)}` : name.startsWith('of:') ? `is:${name.slice(3)}` : name;

/** Whether the account has a shop beside the order's own. */
export async function hasOtherShops(
  tx: ShopsHandle,
  { developer_id, connection_id }: Pick<OrderRow, 'developer_id' | 'connection_id'>,
): Promise<boolean> {
  const other = await tx
    .selectFrom('shop_connections')
    .select('id')
    .where('developer_id', '=', developer_id)
    .where('id', '<>', connection_id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

const linesOf = (tx: ShopsHandle, accountId: string, orderId: string) =>
  tx
    .selectFrom('shop_lines')
    .select(['product_ids', 'paid_quantity', 'units'])
    .where('developer_id', '=', accountId)
    .where('order_id', '=', orderId)
    .execute();

function isSamePrice(
  a: Pick<OrderRow, 'currency' | 'net_minor'>,
  b: Pick<OrderRow, 'currency' | 'net_minor'>,
): boolean {
  const [low, high] = [Math.min(a.net_minor, b.net_minor), Math.max(a.net_minor, b.net_minor)];
  return a.currency === b.currency && high <= low * MOST_TAX;
}

type Sold = Pick<LineRow, 'product_ids' | 'paid_quantity' | 'units'>;

/** Whether two orders give the same serials. One whose lines are not all known yet is compared once they are. */
function sameThings(a: readonly Sold[], b: readonly Sold[]): boolean {
  const [first, second] = [thingsOf(a), thingsOf(b)];
  return first !== null && first !== '' && first === second;
}

function thingsOf(lines: readonly Sold[]): string | null {
  const sums = new Map<string, number>();
  for (const { product_ids, paid_quantity, units } of lines) {
    if (paid_quantity === 0) continue;
    if (product_ids === null) return null;
    for (const id of product_ids) sums.set(id, (sums.get(id) ?? 0) + paid_quantity * (units ?? 1));
  }
  return [...sums]
    .map(([id, n]) => `${id} ${n}`)
    .sort()
    .join('\n');
}
