import { sql } from 'kysely';
import { PRICE } from '#features/products';
import { FEWER_THAN_CLAIMED, type HandedOut, handOutStatement, takeBackStatement } from '#features/serials';
import { isDatabaseAway } from '#platform/db/away.ts';
import type { Sql } from '#platform/db/database.ts';
import { sendBy } from '#platform/db/handle.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { sqlState } from '#platform/errors.ts';
import type { Cents } from '#platform/money.ts';
import { SEEN_BY_RESELLERS } from './borrowed.ts';
import { stockNotices } from './stock-event.ts';
import { tables } from './tables.ts';

/** Where a reseller's draw of a product comes from. */
export interface Pool {
  developer_id: string;
  partnership_id: string;
  status: 'active' | 'paused';
  product_name: string;
  /** Null: nobody is notified when the reseller runs low. */
  low_stock_threshold: number | null;
}

const POOL = tables.named(
  'pool',
  (_, resellerId: string, productId: string) => sql<Pool>`${acrossTenants('the product finds its developer')}
    select t.developer_id, t.id as partnership_id, t.status, p.name as product_name, t.low_stock_threshold
    from partnerships t join products p on p.developer_id = t.developer_id join users u on u.id = t.developer_id
    where t.reseller_id = ${resellerId} and p.id = ${productId} and t.status in ('active', 'paused')
      and ${SEEN_BY_RESELLERS} and u.deleted_at is null`,
);

/** Undefined when the reseller has nothing to do with the product. */
export async function findPool(handle: Sql, resellerId: string, productId: string): Promise<Pool | undefined> {
  return (await POOL(handle, resellerId, productId))[0];
}

// in the order of their references, so that two processes with the same ones don't deadlock
const parts = {
  claim: `insert into draws (id, reseller_id, reference, developer_id, partnership_id, product_id, batch_tag, quantity, created_at)
    select o.id, $9, o.reference, $1, $2, $3, $4, o.quantity, $5
    from seen cross join unnest($7::uuid[], $8::int[], $10::text[]) o (id, quantity, reference) where seen.enough
    order by o.reference
    on conflict (reseller_id, reference) do nothing returning id, quantity`,
  note: `insert into draw_items (developer_id, draw_id, serial_id, code, expires_at)
    select developer_id, draw_id, id, code, expires_at from taken`,
};
const HAND_OUT = {
  skip: handOutStatement({ ...parts, locked: 'skip' }),
  wait: handOutStatement({ ...parts, locked: 'wait' }),
};
const AT_ITS_PRICE = {
  skip: handOutStatement({ ...parts, only: `${PRICE} = $11`, locked: 'skip' }),
  wait: handOutStatement({ ...parts, only: `${PRICE} = $11`, locked: 'wait' }),
};
const ALONE = handOutStatement({
  ...parts,
  locked: 'skip',
  alone: { tells: `select ${stockNotices('wanted.n')} from wanted where wanted.n > 0`, from: ['$11', '$12'] },
});

/** Sends a statement that the serials' feature makes, as text. */
async function sendLent<Row extends object>(
  handle: Sql,
  text: string,
  values: unknown[],
  name?: string,
): Promise<Row[]> {
  const { feature } = tables;
  const named = name === undefined ? {} : { name: `${feature}.${name}` };
  return (await sendBy<Row>(handle, { text, values, feature, ...named })).rows;
}

/** Draws of one reseller from one pool. */
export interface DrawOrder {
  id: string;
  resellerId: string;
  pool: Pool;
  productId: string;
  batchTag: string | null;
  quantity: number;
  reference: string;
  /** Only codes that are sold for so much. */
  priceCents?: Cents | undefined;
}

/** See {@link handOutStatement}. All orders are of one reseller, from one pool, and an order with a price is alone. */
export function handOut(
  handle: Sql,
  orders: readonly DrawOrder[],
  now: Date,
  locked: 'skip' | 'wait',
): Promise<HandedOut[]> {
  const values = valuesOf(orders, now);
  const price = orders[0]?.priceCents;
  return price === undefined
    ? sendLent<HandedOut>(handle, HAND_OUT[locked], values)
    : sendLent<HandedOut>(handle, AT_ITS_PRICE[locked], [...values, price]);
}

/** By batch, the serial that was handed out last. */
export type Places = ReadonlyMap<string, string>;

/**
 * The same in one round trip, for all that most draws need: both partners are told in the same statement.
 * @param places what the batches are read from.
 * @returns undefined where a transaction has to decide: others hold serials, or the connection was lost, and then the
 * reference tells whether something was handed out. With `wanted` 0 nothing was: too little is `open`, a threshold may be
 * crossed, or the references are taken.
 */
export async function handOutAlone(
  handle: Sql,
  orders: readonly DrawOrder[],
  now: Date,
  places: Places,
): Promise<HandedOut[] | undefined> {
  try {
    const values = [...valuesOf(orders, now), [...places.keys()], [...places.values()]];
    return await sendLent<HandedOut>(handle, ALONE, values, 'hand_out');
  } catch (error) {
    if (UNDONE.has(sqlState(error) ?? '') || isDatabaseAway(error)) return undefined;
    throw error;
  }
}

/** Fewer than claimed, and what a transaction is repeated after. */
const UNDONE = new Set([FEWER_THAN_CLAIMED, '40001', '40P01']);

function valuesOf(orders: readonly DrawOrder[], now: Date): unknown[] {
  const [{ pool, productId, batchTag, resellerId }] = orders as [DrawOrder];
  return [
    pool.developer_id,
    pool.partnership_id,
    productId,
    batchTag,
    now,
    orders.reduce((sum, { quantity }) => sum + quantity, 0),
    orders.map(({ id }) => id),
    orders.map(({ quantity }) => quantity),
    resellerId,
    orders.map(({ reference }) => reference),
  ];
}

const FIND = tables.named('find', (begin, resellerId: string, reference: string) =>
  begin
    .selectFrom('draws')
    .select(['id', 'reference', 'developer_id', 'product_id', 'batch_tag', 'quantity', 'created_at'])
    .where('reseller_id', '=', resellerId)
    .where('reference', '=', reference),
);

export type DrawRow = Awaited<ReturnType<typeof FIND>>[number];

export async function findDraw(handle: Sql, resellerId: string, reference: string): Promise<DrawRow | undefined> {
  return (await FIND(handle, resellerId, reference))[0];
}

/** Which draw, of which developer. */
type DrawKey = Pick<DrawRow, 'developer_id' | 'id'>;

/** What a draw handed out, as it did. */
export function codesOf(handle: Sql, { developer_id, id }: DrawKey) {
  return tables
    .in(handle)
    .selectFrom('draw_items')
    .select(['serial_id', 'code', 'expires_at', 'returned_at'])
    .where('developer_id', '=', developer_id)
    .where('draw_id', '=', id)
    .orderBy('serial_id')
    .execute();
}

const TAKE_BACK = takeBackStatement(
  `update draw_items i set returned_at = $4 from back
   where (i.developer_id, i.serial_id) = (back.developer_id, back.id) and i.developer_id = $1 and i.draw_id = $2`,
);

/** @returns the ids of the serials that are back in stock now. */
export async function takeBack(
  handle: Sql,
  { developer_id, id }: DrawKey,
  serialIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await sendLent<{ id: string }>(handle, TAKE_BACK, [developer_id, id, serialIds, now]);
  return rows.map((row) => row.id);
}

/** The partnership behind a draw, while the partners still work together, if only with a pause. */
export async function findPartnership(handle: Sql, drawId: string, developerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select t.id from draws d join partnerships t on (t.developer_id, t.reseller_id) = (d.developer_id, d.reseller_id)
    where d.id = ${drawId} and t.developer_id = ${developerId} and t.status in ('active', 'paused')`.execute(
    tables.in(handle),
  );
  return rows[0]?.id;
}
