import { notifyShopOwner, type ShopEmailDependencies } from '../connections/shop-emails.ts';
import { findItems, forgetUnmapped, type ItemRow, noteUnmapped } from '../items/items.queries.ts';
import * as q from '../orders/order-rows.queries.ts';
import type { ShopsHandle } from '../tables.ts';
import type { Shop } from './work.ts';

// Maps the lines of an order to products. A mapping is fixed once a serial is issued for the line: mapping anew changes
// waiting lines, and later orders.

type SoldAs = Pick<q.LineRow, 'product_ids' | 'units' | 'source' | 'batch_tag' | 'prefix' | 'expires_at' | 'item_key'>;

/** The closest of a line's keys that somebody has mapped. */
export const itemFor = (keys: readonly string[], byKey: ReadonlyMap<string, ItemRow>): ItemRow | undefined =>
  keys.map((key) => byKey.get(key)).find((each) => each && each.mapped_at !== null);

/** The products and terms of a line, by its mapping. */
export function soldAs(item: ItemRow, { is_renewal }: Pick<q.LineRow, 'is_renewal'>): SoldAs {
  const { units, source, batch_tag, prefix, expires_at } = item;
  const isIgnored = is_renewal && item.renewals === 'ignore';
  const product_ids = isIgnored ? [] : item.product_ids;
  return { product_ids, units, source, batch_tag, prefix, expires_at, item_key: item.key };
}

/** The lines of an order, each with what it is sold as, if that is known. */
export async function mappedLines(
  deps: ShopEmailDependencies,
  tx: ShopsHandle,
  { shop, order, now }: { shop: Shop; order: q.OrderRow; now: Date },
): Promise<q.LineRow[]> {
  const lines = await q.findLines(tx, order);
  const open = lines.filter(({ product_ids, paid_quantity }) => product_ids === null && paid_quantity > 0);
  if (open.length === 0) return lines;
  const { developer_id: accountId } = order;
  const items = await findItems(tx, accountId, shop.id, [...new Set(open.flatMap(({ keys }) => keys))]);
  const byKey = new Map(items.map((item) => [item.key, item]));
  // an item that somebody maps by its SKU was noted by its variant
  const answered = new Set<string>();
  for (const line of open) {
    const item = itemFor(line.keys, byKey);
    if (item) {
      Object.assign(line, soldAs(item, line));
      await q.freezeLine(tx, line);
      for (const key of line.keys) if (byKey.get(key)?.mapped_at === null) answered.add(key);
    } else {
      const [key = line.external_id] = line.keys;
      const isNew =
        !byKey.has(key) && (await noteUnmapped(tx, { accountId, shopId: shop.id, key, name: line.name, now }));
      if (isNew)
        await notifyShopOwner(deps, tx, accountId, {
          shop_id: shop.id,
          name: shop.name,
          what: 'unmapped',
          detail: line.name === key ? key : `${line.name} (${key})`,
        });
    }
  }
  if (answered.size > 0) await forgetUnmapped(tx, accountId, shop.id, [...answered]);
  return lines;
}

/** Whether a unit never had a code. */
const isUnfilled = ({ code, issued_at }: q.UnitRow): boolean => code === null && issued_at === null;

/**
 * Lines that wait for serials, or want too many, and have not had one follow what they are mapped to by now: else an order that was mapped by
 * mistake could never be delivered.
 * @returns the units that stay. Those of such lines are made anew.
 */
export async function followMapping(
  tx: ShopsHandle,
  { shop, order, lines }: { shop: Shop; order: q.OrderRow; lines: readonly q.LineRow[] },
  units: readonly q.UnitRow[],
): Promise<q.UnitRow[]> {
  const unitsOf = Map.groupBy(units, ({ line_id }) => line_id);
  const isTooMany = order.reasons.includes('too_many');
  const waiting = lines.filter(({ id, item_key, product_ids }) => {
    const own = unitsOf.get(id) ?? [];
    // an order that wants too many serials has no units; a line that gives nothing never has
    const isWaiting = own.some(({ state }) => state === 'waiting') || (isTooMany && product_ids?.length !== 0);
    // products that the recorder of the sale named are not mapped
    return item_key !== null && isWaiting && own.every(isUnfilled);
  });
  if (waiting.length === 0) return [...units];
  const keys = [...new Set(waiting.flatMap((line) => line.keys))];
  const items = await findItems(tx, order.developer_id, shop.id, keys);
  const byKey = new Map(items.map((item) => [item.key, item]));
  const anew = new Set<string>();
  for (const line of waiting) {
    const item = itemFor(line.keys, byKey);
    if (!item) continue;
    const before = termsOf(line);
    Object.assign(line, soldAs(item, line));
    if (termsOf(line) === before) continue;
    await q.freezeLine(tx, line);
    anew.add(line.id);
  }
  const removed = units.filter(({ line_id }) => anew.has(line_id));
  await q.removeUnits(tx, order.developer_id, removed);
  return units.filter(({ line_id }) => !anew.has(line_id));
}

/** All that a line is sold as, to be compared. */
const termsOf = ({ product_ids, units, source, batch_tag, prefix, expires_at, item_key }: SoldAs): string =>
  JSON.stringify([product_ids, units, source, batch_tag, prefix, expires_at?.getTime() ?? null, item_key]);

/** Sets the products that the recorder of the sale named. @param named the products, by the shop's id of the line */
export async function nameProducts(
  tx: ShopsHandle,
  order: q.OrderRow,
  named: ReadonlyMap<string, readonly string[] | null>,
): Promise<void> {
  for (const line of await q.findLines(tx, order)) {
    const productIds = named.get(line.external_id);
    if (line.product_ids === null && productIds)
      await q.freezeLine(tx, { ...line, product_ids: [...productIds], units: 1, source: 'generate' });
  }
}
