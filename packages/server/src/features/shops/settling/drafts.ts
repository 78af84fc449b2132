import type { Random } from '#platform/random.ts';
import type { Reading } from '../connectors/port.ts';
import { findItems, type ItemRow } from '../items/items.queries.ts';
import { converge, type Wish } from '../orders/converge.ts';
import { type KnownOrder, merge, unknownOrder } from '../orders/merge.ts';
import * as q from '../orders/order-rows.queries.ts';
import { ratesFor } from '../rates/rates.queries.ts';
import { newsOf } from '../reconcile/what-came.ts';
import type { ShopsHandle } from '../tables.ts';
import { itemFor, soldAs } from './mapping.ts';
import { factsOf, stateOf } from './outcome.ts';
import { findSellable } from './products.queries.ts';
import { type Shop, unitOf } from './work.ts';

// New orders as they would be written, found by the rules of all orders. Those that have to be asked about, or wait, are not among them.

/** The most units that are settled together. */
const MOST = { units: 1000, unitsOfOrder: 20 };

/** A delivery that waits. */
export interface Came {
  id: string;
  reading: Reading;
}

/** A new order, as far as it is known before anything is written. */
export interface Draft {
  came: readonly Came[];
  order: q.OrderRow;
  lines: readonly q.LineRow[];
  wishes: readonly Wish[];
  units: q.UnitRow[];
}

/** Units of one line and one product. */
export interface Group {
  order: q.OrderRow;
  line: q.LineRow;
  productId: string;
  units: readonly q.UnitRow[];
}

/** `isDrawing`: the account is a reseller, whose codes are drawn from their stock and have the prices of their developers */
interface How {
  isDrawing: boolean;
  now: Date;
}

/** The orders that are simple, as far as they fit. @param came by the orders' keys */
export async function draftsOf(
  random: Random,
  tx: ShopsHandle,
  shop: Shop,
  came: ReadonlyMap<string, readonly Came[]>,
  how: How,
): Promise<Draft[]> {
  return simpleOf(random, tx, shop, await knownOf(tx, came), how);
}

/** Orders of which nothing came but how they are: nothing was taken back of them, and nothing has to be asked for. */
async function knownOf(tx: ShopsHandle, came: ReadonlyMap<string, readonly Came[]>) {
  const rates = new Map<string, string | null>();
  const all: { key: string; came: readonly Came[]; known: KnownOrder }[] = [];
  for (const [key, some] of came) {
    const readings = some.map(({ reading }) => reading);
    if (readings.some((each) => 'lacks' in each || 'unusable' in each || 'ignored' in each)) continue;
    const { orders, reversals } = newsOf(readings);
    if (orders.length === 0 || reversals.length > 0) continue;
    const rateOf = await ratesFor(tx, orders, rates);
    const known = orders.reduce((sum, version) => merge(sum, version, rateOf), unknownOrder(key));
    all.push({ key, came: some, known });
  }
  return all;
}

async function simpleOf(
  random: Random,
  tx: ShopsHandle,
  shop: Shop,
  all: readonly { key: string; came: readonly Came[]; known: KnownOrder }[],
  how: How,
): Promise<Draft[]> {
  const keys = new Set(all.flatMap(({ known }) => known.lines.flatMap((line) => line.keys)));
  if (keys.size === 0) return [];
  const items = await findItems(tx, shop.developer_id, shop.id, [...keys]);
  const byKey = new Map(items.map((item) => [item.key, item]));
  const drafts = all.flatMap((each) => draftOf(random, shop, each, byKey, how) ?? []);
  if (drafts.length === 0) return [];
  // the draw itself shows what a reseller may draw
  const sellable = how.isDrawing ? null : await findSellable(tx, shop.developer_id, productsOf(drafts));
  let left = MOST.units;
  return drafts.filter(({ wishes }) => {
    if (wishes.length > left || (sellable && wishes.some(({ productId }) => !sellable.has(productId)))) return false;
    left -= wishes.length;
    return true;
  });
}

/** @returns null: it is not simple. */
function draftOf(
  random: Random,
  shop: Shop,
  { key, came, known }: { key: string; came: readonly Came[]; known: KnownOrder },
  byKey: ReadonlyMap<string, ItemRow>,
  { isDrawing, now }: How,
): Draft | null {
  const fields = q.fieldsOf(known, { shop, isErased: false });
  const isPlain = fields.paid_at !== null && fields.canceled_at === null;
  const isKnown = (fields.usd_cents !== null || isDrawing) && (fields.email !== null || shop.delivering !== 'us');
  if (!isPlain || !isKnown) return null;
  const id = random.id();
  const developer_id = shop.developer_id;
  const lines: q.LineRow[] = [];
  for (const line of known.lines) {
    const item = itemFor(line.keys, byKey);
    if (!item || line.productIds !== null || line.paidQuantity === 0) return null;
    const row = { id: random.id(), developer_id, order_id: id, ...q.lineFieldsOf(line) };
    lines.push({ ...row, ...soldAs(item, row) });
  }
  const { wishes, questions, ...outcome } = converge({
    isPaid: true,
    isCanceled: false,
    lines: lines.map(factsOf),
    units: [],
    reversals: [],
    onRefund: shop.on_refund,
    onDispute: shop.on_dispute,
  });
  if (questions.length > 0 || wishes.length === 0 || wishes.length > MOST.unitsOfOrder) return null;
  const units = wishes.map((wish) => unitOf(random, { developer_id, id }, wish));
  const order: q.OrderRow = {
    id,
    developer_id,
    connection_id: shop.id,
    external_id: key,
    reasons: [],
    settled: [],
    note: null,
    duplicate_of: null,
    pickup_code: null,
    received_at: now,
    updated_at: now,
    issued_at: fields.is_test ? null : now,
    noting_until: null,
    found_at: null,
    erased_at: null,
    ...fields,
    state: 'issued',
  };
  // by the rule of all orders, once every unit has its serial
  const whole = units.map((unit) => ({ ...unit, state: 'issued' as const }));
  if (stateOf(order, { wishes, questions, ...outcome }, [], whole) !== 'issued') return null;
  return { came, order, lines, wishes, units };
}

export const productsOf = (drafts: readonly Draft[]): string[] => [
  ...new Set(drafts.flatMap(({ wishes }) => wishes.map(({ productId }) => productId))),
];

/** Groups that are drawn from one pool together, in the order of the products. */
export function byPool(groups: readonly Group[]): Group[][] {
  const pools = Map.groupBy(groups, ({ line, productId }) => `${productId} ${line.batch_tag ?? ''}`);
  return [...pools].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, some]) => some);
}

/** Units by line and product. */
export function groupsOf({ order, lines, units }: Draft): Group[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return [...Map.groupBy(units, (unit) => `${unit.product_id} ${unit.line_id}`).values()].map((group) => {
    const [{ line_id, product_id }] = group as [q.UnitRow];
    return { order, line: byId.get(line_id) as q.LineRow, productId: product_id, units: group };
  });
}
